import { Form } from "@remix-run/react";
import { Button, ButtonLink, type ButtonSize } from "./button.tsx";

const formId = "watch";

/**
 * The form of all watch buttons on a page. It is outside the page's other forms, because forms cannot be nested.
 *
 * @param back the page to which it returns
 */
export const WatchForm = ({ back }: { back: string }) => (
  <Form id={formId} hidden method="post" action="/watchlist" preventScrollReset>
    <input type="hidden" name="intent" value="watch" />
    <input type="hidden" name="back" value={back} />
  </Form>
);

type Props = {
  route: { id: number; name: string; code: string };
  /** Null: the route is not watched. */
  watchId: number | null;
  size?: ButtonSize;
};

/** Puts a route on the watchlist, or leads to its entry. Needs a `WatchForm` on the page. */
export const WatchButton = ({ route, watchId, size = "medium" }: Props) =>
  watchId === null ? (
    <Button
      form={formId}
      name="route_id"
      value={route.id}
      size={size}
      icon="eye"
      aria-label={`Watch ${route.name}, ${route.code}`}
    >
      Watch
    </Button>
  ) : (
    <ButtonLink
      to={`/watchlist/${watchId}`}
      size={size}
      variant="quiet"
      icon="check"
      aria-label={`Watching ${route.name}, ${route.code}`}
    >
      Watching
    </ButtonLink>
  );
