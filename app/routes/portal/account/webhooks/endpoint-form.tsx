import { z } from "zod";
import { endpointInput } from "#app/domain/webhooks/endpoint.ts";
import { subscribableTypes } from "#app/domain/webhooks/enums.ts";
import { webhookEventDefinitions } from "#app/domain/webhooks/events.ts";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import type { FormProblem } from "#app/portal/form-action.server.ts";

const nameOf = (type: string) => `event:${type}`;

/** One checkbox per event type. */
export const endpointForm = z
  .looseObject({ url: z.string().default(""), description: z.string().default("") })
  .transform(
    ({ url, description, ...fields }): z.input<typeof endpointInput> => ({
      url,
      description,
      event_types: subscribableTypes.filter((type) => nameOf(type) in fields),
    }),
  )
  .pipe(endpointInput);

type Props = {
  /** What the form was returned with, if it was refused. */
  problem: FormProblem | null;
  endpoint: { url: string; description: string; eventTypes: readonly string[] } | null;
};

export const EndpointFields = ({ problem, endpoint }: Props) => {
  const isChecked = (type: string) =>
    problem ? nameOf(type) in problem.values : (endpoint?.eventTypes.includes(type) ?? false);
  const typesError = errorOf(problem?.fields, "event_types");
  return (
    <>
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <TextField
        name="url"
        label="URL"
        hint="An HTTPS address of your server that the internet can reach."
        type="url"
        placeholder="https://example.com/webhooks"
        required
        defaultValue={problem?.values.url ?? endpoint?.url}
        error={errorOf(problem?.fields, "url")}
      />
      <TextField
        name="description"
        label="Description"
        optional
        defaultValue={problem?.values.description ?? endpoint?.description}
        error={errorOf(problem?.fields, "description")}
      />
      <fieldset
        id="event_types"
        aria-describedby={typesError ? "event_types-error" : undefined}
        className="grid gap-3 border-0 p-0"
      >
        <legend className="mb-3 font-medium text-sm">Event types</legend>
        {typesError ? (
          <p id="event_types-error" className="font-medium text-danger text-sm">
            {typesError}
          </p>
        ) : null}
        <div className="grid gap-3 sm:grid-cols-2">
          {subscribableTypes.map((type) => (
            <CheckboxField
              key={type}
              name={nameOf(type)}
              label={type}
              hint={webhookEventDefinitions[type].summary}
              defaultChecked={isChecked(type)}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
};
