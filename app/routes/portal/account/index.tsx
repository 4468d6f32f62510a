import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listActivity, registeredAt } from "../../../domain/accounts/activity.server.ts";
import { passwordChange } from "../../../domain/accounts/credentials.ts";
import { changePassword } from "../../../domain/accounts/password-change.server.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "../../../domain/accounts/sessions-list.server.ts";
import { Refusal } from "../../../domain/errors.ts";
import { Alert } from "../../../portal/components/alert.tsx";
import { Badge } from "../../../portal/components/badge.tsx";
import { ButtonLink } from "../../../portal/components/button.tsx";
import { Card } from "../../../portal/components/card.tsx";
import { DescriptionList } from "../../../portal/components/description-list.tsx";
import { errorOf } from "../../../portal/components/field-errors.ts";
import { FormError } from "../../../portal/components/form-error.tsx";
import { PageHeader } from "../../../portal/components/page-header.tsx";
import { PasswordField } from "../../../portal/components/password-field.tsx";
import { SelectField } from "../../../portal/components/select-field.tsx";
import { SubmitButton } from "../../../portal/components/submit-button.tsx";
import { formAction, memberForm } from "../../../portal/form-action.server.ts";
import { formatCount, formatDay, formatNumber, formatWord } from "../../../portal/format.ts";
import type { RootData } from "../../../portal/root-data.ts";
import { visitOfMember } from "../../../portal/session.server.ts";
import { rememberTheme, theme } from "../../../portal/theme.server.ts";
import { ActivityCard } from "./activity-card.tsx";
import { actorInWords, describeAct } from "./activity-words.ts";
import { PlanCard } from "./plan-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { describeUserAgent } from "./user-agent.ts";

export const meta: MetaFunction = () => [{ title: "Account · Shipping Route Data Service" }];

const activityLimit = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [registered, sessions, activity] = await Promise.all([
    registeredAt(ctx, caller),
    listSessions(ctx, caller),
    listActivity(ctx, caller, { limit: activityLimit }),
  ]);
  const { username, email, plan, standing, customHourlyLimit, customDiscountPercent } = caller.account;
  return {
    profile: { username, email, standing, customDiscountPercent, registeredAt: registered.toISOString() },
    plan: { plan, customHourlyLimit: plan === "enterprise" ? customHourlyLimit : null },
    sessions: sessions.map(({ userAgent, createdAt, expiresAt, ...session }) => ({
      ...session,
      program: describeUserAgent(userAgent),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
    activity: activity.map((act) => ({
      id: act.id,
      words: describeAct(act),
      actor: actorInWords[act.actor],
      occurredAt: act.occurredAt.toISOString(),
    })),
  };
};

/** What a form says when it has done its work. */
type Done = { message: string };

export const action = (args: ActionFunctionArgs) =>
  formAction<Done>({
    password: memberForm(passwordChange, async ({ ctx, caller, origin }, input) => {
      const { endedSessions } = await changePassword(ctx, caller, input, origin).catch(inWords);
      return { message: `Your password is changed.${endedInWords(endedSessions)}` };
    }),
    revoke: memberForm(z.object({ id: z.string() }), async ({ ctx, caller }, input) => {
      await revokeSession(ctx, caller, input);
      return { message: "The session is signed out." };
    }),
    "revoke-others": memberForm(z.object({}), async ({ ctx, caller }) => {
      const { endedSessions } = await revokeOtherSessions(ctx, caller);
      return { message: `You are signed in here only.${endedInWords(endedSessions)}` };
    }),
    theme: memberForm(z.object({ theme }), async ({ ctx }, input) => {
      throw redirect("/account", { headers: { "Set-Cookie": await rememberTheme(input.theme, ctx.settings) } });
    }),
  })(args);

const inWords = (error: unknown): never => {
  if (error instanceof Refusal && error.code === "rate_limited") {
    throw new Refusal("rate_limited", "Too many failed attempts. Wait until the next full hour, then try again");
  }
  throw error;
};

const endedInWords = (count: number): string =>
  count > 0 ? ` ${formatCount(count, "other session was", "other sessions were")} signed out.` : "";

const Account = () => {
  const { profile, plan, sessions, activity } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const problem = answer?.problem;
  return (
    <div className="grid gap-6">
      <PageHeader title="Account" description="Who you are here, how you sign in, and what was changed." />
      {answer?.result ? (
        <Alert tone="success" live>
          {answer.result.message}
        </Alert>
      ) : null}
      {problem && problem.intent !== "password" ? <FormError message={problem.message} /> : null}
      {profile.standing === "suspended" ? (
        <Alert tone="danger" title="This account is suspended">
          Its routes' data is closed, here and by API, until a payment that is in dispute has been settled.
        </Alert>
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <Profile />
          <Appearance />
        </div>
        <Password key={answer?.result?.message} />
      </div>
      <PlanCard {...plan} />
      <SessionsCard sessions={sessions} />
      <ActivityCard acts={activity} limit={activityLimit} />
      <Card
        title="Your data"
        description="Profile, subscriptions, invoices, keys without their secrets, and activity, as one JSON file."
        actions={
          <ButtonLink to="/account/export.json" icon="download" reloadDocument prefetch="none">
            Download my data
          </ButtonLink>
        }
      />
    </div>
  );
};

export default Account;

const Profile = () => {
  const { profile, plan } = useLoaderData<typeof loader>();
  return (
    <Card title="Profile">
      <DescriptionList
        facts={[
          { term: "Username", description: profile.username },
          { term: "E-mail", description: <span className="break-all">{profile.email}</span> },
          { term: "Plan", description: formatWord(plan.plan) },
          { term: "Member since", description: formatDay(profile.registeredAt) },
          {
            term: "Standing",
            description:
              profile.standing === "good" ? (
                <Badge tone="success" dot>
                  Good
                </Badge>
              ) : (
                <Badge tone="danger" dot>
                  Suspended
                </Badge>
              ),
          },
          ...(profile.customDiscountPercent === null
            ? []
            : [{ term: "Agreed discount", description: `${formatNumber(profile.customDiscountPercent)}%` }]),
        ]}
      />
    </Card>
  );
};

const Password = () => {
  const problem = useActionData<typeof action>()?.problem;
  const own = problem?.intent === "password" ? problem : null;
  const { profile } = useLoaderData<typeof loader>();
  return (
    <Card title="Password" description="Changing it signs out every other browser and bearer token. API keys stay.">
      <Form method="post" className="grid gap-5" noValidate>
        {own ? <FormError message={own.message} fields={own.fields} /> : null}
        {/* For password managers; it has no name, so it is not sent. */}
        <input type="text" autoComplete="username" value={profile.email} readOnly hidden />
        <PasswordField
          name="current_password"
          label="Current password"
          autoComplete="current-password"
          required
          error={errorOf(own?.fields, "current_password")}
        />
        <PasswordField
          name="new_password"
          label="New password"
          hint="12 to 128 characters. A phrase of several words is easy to keep."
          autoComplete="new-password"
          required
          minLength={12}
          error={errorOf(own?.fields, "new_password")}
        />
        <div>
          <SubmitButton name="intent" value="password" pendingLabel="Changing…">
            Change password
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};

const Appearance = () => {
  const chosen = useRouteLoaderData<RootData>("root")?.theme ?? "system";
  return (
    <Card title="Appearance" description="Kept in this browser.">
      <Form method="post" className="flex flex-wrap items-end gap-3" key={chosen}>
        <div className="min-w-40 flex-1">
          <SelectField
            name="theme"
            label="Theme"
            defaultValue={chosen}
            options={[
              { value: "system", label: "As the system" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        </div>
        <SubmitButton name="intent" value="theme" variant="secondary" pendingLabel="Saving…">
          Save
        </SubmitButton>
      </Form>
    </Card>
  );
};
