/** A mail system that can go away. */
import { SMTPServer } from "smtp-server";
import { freePort } from "#app/testing/free-port.ts";

export type MailSystem = {
  url: string;
  /** The Message-ID of every message taken, in order. */
  taken: string[];
  /** Nothing listens any more, and open connections break. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
};

export const openMailSystem = async (): Promise<MailSystem> => {
  const port = await freePort();
  const taken: string[] = [];
  const open = async () => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      disableReverseLookup: true,
      closeTimeout: 1,
      onData: (stream, _session, answer) => {
        let source = "";
        stream.on("data", (chunk: Buffer) => {
          source += chunk.toString("latin1");
        });
        stream.on("end", () => {
          taken.push(/^Message-ID: (\S+)/im.exec(source)?.[1] ?? "");
          answer(null);
        });
      },
    });
    // A client that closes its connection is no error of the mail system.
    server.on("error", () => {});
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return server;
  };
  let server: SMTPServer | null = await open();
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    goAway: async () => {
      const closing = server;
      server = null;
      if (closing) await new Promise<void>((resolve) => closing.close(resolve));
    },
    comeBack: async () => {
      server ??= await open();
    },
  };
};
