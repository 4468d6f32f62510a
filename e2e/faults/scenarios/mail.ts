import { setTimeout as wait } from "node:timers/promises";
import type { Stage } from "../stage/stage.ts";
import type { Note, Scenario } from "./scenario.ts";

const served: Scenario["during"] = { read: "served", order: "served", confirm: "served", health: "served" };
const minuteMs = 60_000;

/** Every message that was written before now is sent, and the mail system has it once. */
const isDelivered = async (stage: Stage, note: Note, tries: number, again: () => Promise<unknown>): Promise<void> => {
  const [last] = await stage.sql<{ id: number }[]>`select coalesce(max(id), 0)::int as id from outbox_messages`;
  const id = last?.id ?? 0;
  const startedAt = performance.now();
  for (let left = tries; left > 0; left--) {
    await again();
    const [row] = await stage.sql<{ unsent: number; total: number }[]>`
      select count(*) filter (where sent_at is null)::int as unsent, count(*)::int as total
      from outbox_messages where id <= ${id}`;
    if (row?.unsent !== 0) continue;
    const messages = await stage.sql<{ dedupe_key: string; message_id: string }[]>`
      select dedupe_key, '<outbox-' || id || '.' || (extract(epoch from created_at) * 1000)::bigint || '@localhost>' as message_id
      from outbox_messages where id <= ${id}`;
    if (new Set(messages.map(({ dedupe_key }) => dedupe_key)).size !== messages.length) {
      note.violation("Two messages are about the same subject");
    }
    const lost = messages.filter(({ message_id }) => !stage.mail.taken.includes(message_id));
    if (lost.length > 0)
      note.violation(`${lost.length} messages are marked as sent, but the mail system has not got them`);
    const repeated = stage.mail.taken.length - new Set(stage.mail.taken).size;
    // Each process sends one message at a time, which may have been taken without a word when the mail system went away.
    if (repeated > stage.services.length) note.violation(`${repeated} messages were sent twice`);
    note.count("messages, all with the mail system", messages.length);
    note.count("seconds until the last of them was sent", Math.round((performance.now() - startedAt) / 1000));
    return;
  }
  note.violation("Messages were not sent after the mail system had come back");
};

const failedBefore = async (stage: Stage): Promise<number> => {
  const [row] = await stage.sql<{ failed: number }[]>`
    select count(*)::int as failed from outbox_messages where sent_at is null and last_error is not null`;
  return row?.failed ?? 0;
};

/** With the embedded scheduler, in real time: a message that was not sent is due again after a minute, then two. */
export const mailScenarios: Scenario[] = [
  {
    name: "The mail system is gone",
    isShort: false,
    lasts: { short: 0, long: 1.5 * minuteMs },
    during: served,
    begin: (stage) => stage.mail.goAway(),
    end: async (stage, note) => {
      const failed = await failedBefore(stage);
      note.count("messages that could not be sent", failed);
      if (failed === 0) note.violation("No message was tried, so nothing was tested");
      await stage.mail.comeBack();
    },
    check: (stage, note) => isDelivered(stage, note, 60, () => wait(5_000)),
  },
];

/** Inngest calls the job, and the clocks of the processes pass over the wait. */
export const mailByInngest: Scenario = {
  name: "The mail system is gone while Inngest calls",
  isShort: true,
  lasts: { short: 500, long: 5_000 },
  during: served,
  begin: async (stage, note) => {
    await stage.mail.goAway();
    // Every purchase writes a receipt.
    for (let tries = 0; tries < 300 && (await failedBefore(stage)) === 0; tries++) {
      await stage.inngest?.run("send-mail", [stage.urlOf(0)]);
      await wait(100);
    }
    note.count("messages that could not be sent", await failedBefore(stage));
  },
  end: async (stage) => {
    await stage.mail.comeBack();
    for (const service of stage.services.keys()) await stage.setClock(service, 3 * minuteMs);
  },
  check: async (stage, note) => {
    await isDelivered(stage, note, 30, async () => {
      await stage.inngest?.run("send-mail", [stage.urlOf(1)]);
      await wait(200);
    });
    for (const service of stage.services.keys()) await stage.setClock(service, 0);
  },
};
