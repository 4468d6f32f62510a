import { setTimeout as wait } from "node:timers/promises";
import type { Stage } from "../stage/stage.ts";
import { mailByInngest } from "./mail.ts";
import type { Note, Scenario } from "./scenario.ts";

/** Needs a stage with Inngest. */
export const inngestScenarios: Scenario[] = [
  {
    name: "Inngest calls twice, in two processes at once, and two hours late",
    isShort: true,
    lasts: { short: 0, long: 5_000 },
    during: { read: "served", order: "served", confirm: "served", health: "served" },
    begin: async (stage, note) => {
      const due = await makeRenewalsDue(stage);
      const urls = stage.services.map(({ url }) => url);
      const statuses = await Promise.all([
        stage.inngest?.run("charge-renewals", [...urls, ...urls]),
        stage.inngest?.run("charge-renewals", urls, { lateSeconds: 7_200 }),
      ]);
      await stage.inngest?.run("charge-renewals", urls, { lateSeconds: 7_200 });
      note.count("calls", statuses.flat().length + urls.length);
      await untilCharged(stage, due, note);
    },
    end: () => {},
  },
  mailByInngest,
];

/** Moves the days of some subscriptions so that they end in two days. @returns their ids */
const makeRenewalsDue = async (stage: Stage): Promise<number[]> => {
  for (let tries = 0; tries < 600; tries++, await wait(50)) {
    const moved = await stage.sql<{ id: number }[]>`
      with due as (
        select id, end_date - ((now() at time zone 'UTC')::date + 2) as days from subscriptions
        where auto_renew and cancelled_at is null order by id limit 10
      ), terms as (
        update paid_terms t set start_date = t.start_date - due.days, end_date = t.end_date - due.days
        from due where t.subscription_id = due.id and (select count(*) from due) >= 5
      )
      update subscriptions s set start_date = s.start_date - due.days, anchor_date = s.anchor_date - due.days,
        end_date = s.end_date - due.days
      from due where s.id = due.id and (select count(*) from due) >= 5 returning s.id`;
    if (moved.length > 0) return moved.map(({ id }) => id);
  }
  throw new Error("There are no subscriptions to renew");
};

/** A call that comes while the job is running is answered at once, so the job may still be at work. */
const untilCharged = async (stage: Stage, due: number[], note: Note): Promise<void> => {
  for (let tries = 0; tries < 600; tries++, await wait(100)) {
    const [row] = await stage.sql<{ charged: number; attempts: number; open: number }[]>`
      select count(distinct subscription_id) filter (where state = 'succeeded')::int as charged, count(*)::int as attempts,
        count(*) filter (where state = 'pending')::int as open
      from renewal_attempts where subscription_id = any(${due})`;
    if (row?.charged !== due.length || row.open > 0) continue;
    note.count("renewals due, each charged once", due.length);
    if (row.attempts !== due.length) note.violation(`${due.length} renewals were due, but ${row.attempts} were tried`);
    return;
  }
  note.violation("Renewals that were due have not been charged");
};
