import type { Follow } from "../../platform/db.server.ts";
import type { Log } from "../../platform/log.server.ts";

/** Calls `wake` after every change, and whenever notifications may have been missed. @returns how to end that */
export type ChangeSignal = (wake: () => void) => () => void;

/** Notified by the database's function `record_route_changes`. */
const channel = "route_changes";

/** One listening connection for the whole process, from the first follower on. */
export const changeSignalOf = (follow: Follow, log: Log): ChangeSignal => {
  const followers = new Set<() => void>();
  let isListening = false;
  const wakeAll = () => {
    for (const wake of followers) wake();
  };
  return (wake) => {
    followers.add(wake);
    if (!isListening) {
      isListening = true;
      follow(channel, wakeAll).catch((error) => {
        // Followers look for changes at every heartbeat as well, and the next one tries again.
        isListening = false;
        log.warn("Changes are not notified", { "error.message": String(error) });
      });
    }
    return () => void followers.delete(wake);
  };
};
