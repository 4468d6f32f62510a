import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { z } from "zod";
import { acceptedTerms, registeredAt } from "#app/domain/accounts/activity.server.ts";
import { secondProofOf } from "#app/domain/accounts/confirm-holder.server.ts";
import { emailChange } from "#app/domain/accounts/credentials.ts";
import {
  pendingEmail,
  requestEmailChange,
  requestVerification,
} from "#app/domain/accounts/email-verification.server.ts";
import { emailLinkHours } from "#app/domain/accounts/policy.ts";
import { agreedPercentOn } from "#app/domain/accounts/volume-agreement.ts";
import { dayOf } from "#app/domain/dates.ts";
import { counted } from "#app/domain/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatDay, formatNumber, formatWord } from "#app/portal/format.ts";
import { withRetryHint } from "#app/portal/retry-hint.server.ts";
import type { RootData } from "#app/portal/root-data.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { EmailCard } from "./email-card.tsx";

export const meta: MetaFunction = () => [{ title: "Profile · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const { username, email, emailVerifiedAt, plan, standing } = caller.account;
  const agreedPercent = agreedPercentOn(caller.account, dayOf(ctx.clock.now()));
  const [registered, termsVersion, pending, asks] = await Promise.all([
    registeredAt(ctx, caller),
    acceptedTerms(ctx, caller),
    pendingEmail(ctx, caller),
    secondProofOf(ctx, caller),
  ]);
  return {
    profile: {
      username,
      standing,
      agreedPercent,
      agreedThrough: caller.account.customDiscountThrough,
      registeredAt: registered.toISOString(),
      termsVersion,
    },
    email: { email, isVerified: emailVerifiedAt !== null, pending, asks, testMode: ctx.settings.testMode },
    plan,
  };
};

/** The result of a successful form. */
type Done = { message: string };

export const action = (args: ActionFunctionArgs) =>
  formAction<Done>({
    verify: memberForm(z.object({}), async ({ ctx, caller }) => {
      await withRetryHint(requestVerification(ctx, caller));
      return {
        message: `We sent a new link to ${caller.account.email}. It works for ${counted(emailLinkHours, "hour")}.`,
      };
    }),
    email: memberForm(emailChange, async ({ ctx, caller, origin }, input) => {
      await withRetryHint(requestEmailChange(ctx, caller, input, origin));
      return { message: `We sent a link to ${input.email}. Open it to confirm the change.` };
    }),
  })(args);

const ProfilePage = () => {
  const { profile, email } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const problem = actionData?.problem ?? null;
  const emailProblem = problem?.intent === "email" ? problem : null;
  return (
    <>
      <PageHeader title="Profile" description="Your account, your e-mail address and the look of these pages." />
      {actionData?.result ? (
        <Alert tone="success" live>
          {actionData.result.message}
        </Alert>
      ) : null}
      {problem && !emailProblem ? <FormError message={problem.message} /> : null}
      {profile.standing === "suspended" ? (
        <Alert tone="danger" title="This account is suspended">
          You cannot read route data, in the portal or through the API. See the reason under{" "}
          <Link to="/account/activity" className="link">
            Activity
          </Link>
          , or{" "}
          <Link to="/support/new?topic=billing" className="link">
            contact support
          </Link>{" "}
          to resolve it.
        </Alert>
      ) : null}
      <Profile />
      <EmailCard key={actionData?.result?.message} {...email} problem={emailProblem} />
      <Appearance />
    </>
  );
};

export default ProfilePage;

const Profile = () => {
  const { profile, plan } = useLoaderData<typeof loader>();
  return (
    <Card title="Account">
      <DescriptionList
        facts={[
          { term: "Username", description: profile.username },
          {
            term: "Plan",
            description: (
              <Link to="/plan" className="link">
                {formatWord(plan)}
              </Link>
            ),
          },
          { term: "Member since", description: formatDay(profile.registeredAt) },
          ...(profile.termsVersion
            ? [
                {
                  term: "Accepted terms",
                  description: (
                    <Link to="/terms" className="link">
                      Version of {formatDay(profile.termsVersion)}
                    </Link>
                  ),
                },
              ]
            : []),
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
          ...(profile.agreedPercent === null
            ? []
            : [
                {
                  term: "Agreed discount",
                  description: `${formatNumber(profile.agreedPercent)}%${profile.agreedThrough ? `, through ${formatDay(profile.agreedThrough)}` : ""}`,
                },
              ]),
        ]}
      />
    </Card>
  );
};

const Appearance = () => {
  const chosen = useRouteLoaderData<RootData>("root")?.theme ?? "system";
  return (
    <Card title="Appearance" description="Kept in this browser.">
      <Form method="post" action="/theme" preventScrollReset className="flex flex-wrap items-end gap-3" key={chosen}>
        <div className="min-w-40 flex-1">
          <SelectField
            name="theme"
            label="Theme"
            defaultValue={chosen}
            options={[
              { value: "system", label: "Match system" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        </div>
        <SubmitButton variant="secondary" pendingLabel="Saving…">
          Save
        </SubmitButton>
      </Form>
    </Card>
  );
};
