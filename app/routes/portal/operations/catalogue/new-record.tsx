import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { RecordKind } from "#app/domain/catalogue/record-kinds.ts";
import { createRecord } from "#app/domain/stock/change-records.server.ts";
import { choicesFor } from "#app/domain/stock/list-records.server.ts";
import { codeField, type RecordField, recordFields } from "#app/domain/stock/records.ts";
import { Card } from "#app/portal/components/card.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { kindOf, kindWords, listOf } from "./kinds.ts";
import { RecordForm } from "./record-form.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `New ${data ? kindWords[data.kind].one : "record"} · Operations · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const kind = kindOf(args.params.kind);
  return { kind, choices: await choicesFor(ctx, caller, kind) };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    add: operatorForm(z.record(z.string(), z.string()), async ({ ctx, caller, params }, values) => {
      const kind = kindOf(params.kind);
      const { id, code } = await createRecord(ctx, caller, { kind, values });
      throw await redirectWithToast(`${listOf(kind)}/${id}`, { message: `Added ${kindWords[kind].one} ${code}.` });
    }),
  })(args);

const NewRecord = () => {
  const { kind, choices } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const { one, many } = kindWords[kind];
  return (
    <div className="grid gap-6">
      <PageHeader
        title={`New ${one}`}
        breadcrumbs={[
          { label: "Catalogue", to: "/operations/catalogue" },
          { label: many, to: listOf(kind) },
        ]}
      />
      <Card>
        <RecordForm
          fields={[codeFieldOf(kind), ...recordFields[kind]]}
          values={{}}
          choices={choices}
          problem={problem}
          intent="add"
          submit={`Add ${one}`}
        />
      </Card>
    </div>
  );
};

export default NewRecord;

const codeFieldOf = (kind: RecordKind): RecordField => {
  if (kind === "port") return { name: codeField, label: "UN/LOCODE", hint: "Five characters, for example CNSHA" };
  if (kind === "period") {
    return {
      name: codeField,
      label: "Code",
      hint: "Leave empty to use the route code and the first day",
      isOptional: true,
    };
  }
  return { name: codeField, label: "Code", hint: "Letters, digits and . _ / -. Cannot be changed later." };
};
