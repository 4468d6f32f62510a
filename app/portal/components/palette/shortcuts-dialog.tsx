import { useFetcher } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import type { RootData } from "../../root-data.ts";
import { documentation, mainDestinations } from "../destinations.ts";
import { Icon } from "../icon.tsx";
import { Modal } from "./modal.tsx";

type Props = Pick<RootData, "account" | "singleKeys"> & { onClose: () => void };

/** Lists the keyboard shortcuts, with the switch for single-key ones that WCAG 2.1.4 requires. */
export const ShortcutsDialog = ({ account, singleKeys, onClose }: Props) => {
  const places = [...mainDestinations(account), documentation].filter(({ key }) => key !== undefined);
  return (
    <Modal label="Keyboard shortcuts" onClose={onClose}>
      <div className="flex items-center justify-between gap-4 border-line border-b py-2 pr-2 pl-5">
        <h2 className="font-semibold text-base">Keyboard shortcuts</h2>
        <form method="dialog">
          <button
            type="submit"
            aria-label="Close"
            className="grid size-9 place-items-center rounded-lg text-muted hover:bg-sunken"
          >
            <Icon name="x" />
          </button>
        </form>
      </div>
      <div className="max-h-[70vh] overflow-y-auto px-5 py-4">
        <dl className="grid gap-x-8 gap-y-2.5 text-sm sm:grid-cols-2">
          <Shortcut keys={["Ctrl", "K"]}>Search everything</Shortcut>
          <Shortcut keys={["/"]}>Search this page</Shortcut>
          <Shortcut keys={["?"]}>This list</Shortcut>
          {places.map(({ key, label }) => (
            <Shortcut key={label} keys={["g", key ?? ""]}>
              Go to {label}
            </Shortcut>
          ))}
        </dl>
      </div>
      <SingleKeys on={singleKeys} />
    </Modal>
  );
};

const Shortcut = ({ keys, children }: { keys: readonly string[]; children: ReactNode }) => (
  <div className="flex items-center justify-between gap-4">
    <dt>{children}</dt>
    <dd className="flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-6 rounded-md border border-line-strong bg-canvas px-1.5 text-center font-sans text-xs leading-6"
        >
          {key}
        </kbd>
      ))}
    </dd>
  </div>
);

/** The switch for single-key shortcuts, which speech input and tremor trigger by accident. */
const SingleKeys = ({ on }: { on: boolean }) => {
  const fetcher = useFetcher();
  const [chosen, setChosen] = useState(on);
  return (
    <label className="flex items-start gap-3 border-line border-t bg-canvas px-5 py-3.5 text-sm">
      <input
        type="checkbox"
        className="tick mt-0.5"
        checked={chosen}
        onChange={(event) => {
          setChosen(event.target.checked);
          fetcher.submit(
            { single_keys: event.target.checked ? "on" : "off" },
            { method: "post", action: "/shortcuts" },
          );
        }}
      />
      <span>
        <span className="font-medium">Single keys</span>
        <span className="block text-muted">Off: only Ctrl K is left. Remembered in this browser.</span>
      </span>
    </label>
  );
};
