import { Form } from "@remix-run/react";
import { Button } from "./button.tsx";
import { PortField } from "./port-field.tsx";

/** Leads to the routes between two ports, or from or to one. */
export const PairSearch = () => (
  <Form
    method="get"
    action="/routes"
    role="search"
    aria-label="Routes by port"
    className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[1fr_1fr_auto]"
  >
    <PortField name="origin" label="From port" />
    <PortField name="destination" label="To port" />
    <Button variant="primary" icon="search" className="max-sm:col-span-2">
      Find routes
    </Button>
  </Form>
);
