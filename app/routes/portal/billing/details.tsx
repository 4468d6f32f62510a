import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { billingDetailsForm, isTaxedFor } from "#app/domain/billing-details/billing-details.ts";
import type { BillingDetails } from "#app/domain/billing-details/buyer.ts";
import { getBillingDetails, saveBillingDetails } from "#app/domain/billing-details/manage.server.ts";
import { cancelOrder, orderOf } from "#app/domain/payments/orders.server.ts";
import { countryCodes, countryName } from "#app/domain/tax/countries.ts";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { type Member, visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Billing details · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const countries = countryCodes
    .map((code) => ({ value: code, label: countryName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
  return { details: await getBillingDetails(ctx, caller), email: caller.account.email, countries };
};

/** `?order=12`: saving leads back to the payment of that order. */
const orderIdOf = (request: Request): number | null => {
  const order = new URL(request.url).searchParams.get("order") ?? "";
  return /^\d{1,9}$/.test(order) ? Number(order) : null;
};

/** An order that was taxed for other details begins again, so that its tax matches its invoice. */
const backToOrder = async ({ ctx, caller }: Member, orderId: number, details: BillingDetails) => {
  const order = await orderOf(ctx, caller.account.id, orderId);
  const startsAgainAt = order?.planLine
    ? `/plan/${order.planLine.plan}`
    : order?.kind === "purchase"
      ? "/basket"
      : null;
  if (!order || !startsAgainAt || order.status !== "pending" || isTaxedFor(order, details)) {
    return redirect(`/checkout/${orderId}`);
  }
  if (!(await cancelOrder(ctx, order))) return redirect(`/checkout/${orderId}`);
  const message = "Tax depends on your billing details. Continue to payment for the new total.";
  return redirectWithToast(startsAgainAt, { message });
};

export const action = (args: ActionFunctionArgs) =>
  formAction<null>({
    save: memberForm(billingDetailsForm, async (member, details) => {
      await saveBillingDetails(member.ctx, member.caller, details);
      const orderId = orderIdOf(args.request);
      if (orderId !== null) throw await backToOrder(member, orderId, details);
      throw await redirectWithToast("/billing/details", { message: "Billing details saved." });
    }),
  })(args);

const BillingDetailsPage = () => {
  const { details, email, countries } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const field = (name: keyof NonNullable<typeof details>) => ({
    name,
    defaultValue: problem?.values[name] ?? details?.[name] ?? "",
    error: errorOf(problem?.fields, name),
  });
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Billing", to: "/billing" }]}
        title="Billing details"
        description="Shown on your invoices. Invoices that we have already issued do not change."
      />
      <div className="max-w-2xl">
        <Card>
          <Form method="post" className="grid gap-5" noValidate>
            {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
            <TextField
              {...field("name")}
              label="Company or name"
              autoComplete="organization"
              maxLength={200}
              required
            />
            <TextField
              {...field("addressLine1")}
              label="Address"
              autoComplete="address-line1"
              maxLength={200}
              required
            />
            <TextField
              {...field("addressLine2")}
              label="Address line 2"
              autoComplete="address-line2"
              maxLength={200}
              optional
            />
            <div className="grid gap-5 sm:grid-cols-[10rem_1fr]">
              <TextField
                {...field("postalCode")}
                label="Postal code"
                autoComplete="postal-code"
                maxLength={20}
                optional
              />
              <TextField {...field("city")} label="City" autoComplete="address-level2" maxLength={100} required />
            </div>
            <TextField
              {...field("region")}
              label="State or region"
              autoComplete="address-level1"
              maxLength={100}
              optional
            />
            <SelectField
              {...field("country")}
              label="Country"
              autoComplete="country"
              required
              options={[{ value: "", label: "Choose a country" }, ...countries]}
            />
            <TextField
              {...field("taxId")}
              label="VAT or other tax number"
              hint="For companies. In the EU with the country's prefix: DE123456789."
              maxLength={40}
              autoComplete="off"
              optional
            />
            <TextField
              {...field("purchaseOrder")}
              label="Purchase order number"
              hint="Printed on every invoice until you change it."
              maxLength={60}
              autoComplete="off"
              optional
            />
            <TextField
              {...field("email")}
              type="email"
              label="Billing e-mail"
              hint={`Printed on invoices. We e-mail receipts and statements here instead of to ${email}.`}
              autoComplete="email"
              maxLength={254}
              optional
            />
            <div>
              <SubmitButton name="intent" value="save" pendingLabel="Saving…">
                Save billing details
              </SubmitButton>
            </div>
          </Form>
        </Card>
      </div>
    </div>
  );
};

export default BillingDetailsPage;
