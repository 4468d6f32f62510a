import { useNavigation } from "@remix-run/react";
import type { ComponentProps } from "react";
import { Button } from "./button.tsx";

type Props = Omit<ComponentProps<typeof Button>, "pending" | "type"> & {
  /** Shown while the form is being submitted. */
  pendingLabel?: string;
};

/**
 * The submit button of a Remix `Form`. It is pending while its form is being submitted. With several forms on a page,
 * give it the `name` and `value` that distinguish them (usually `intent`).
 */
export const SubmitButton = ({ pendingLabel, children, ...rest }: Props) => {
  const { formData, formMethod } = useNavigation();
  const isOurs = rest.name === undefined || formData?.get(rest.name) === String(rest.value ?? "");
  const pending = formData !== undefined && formMethod !== "GET" && isOurs;
  return (
    <Button variant="primary" {...rest} pending={pending}>
      {pending && pendingLabel ? pendingLabel : children}
    </Button>
  );
};
