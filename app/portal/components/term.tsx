import { type ReactNode, useId } from "react";
import { type TermName, termId, terms } from "./terms.ts";

type Props = {
  name: TermName;
  /** As the page has it: "Transhipment ports". */
  children?: ReactNode;
};

/** A freight term. Pressing it shows what it means, with a link to the glossary. Works with touch and without scripts. */
export const Term = ({ name, children = name }: Props) => (
  <Explained term={name} meaning={terms[name]}>
    {children}
  </Explained>
);

type CodeProps = {
  code: string;
  /** Null: the glossary does not have the code. */
  meaning: string | null;
};

/** A code from the data, such as that of a surcharge: explained if the glossary has it. */
export const TermOrCode = ({ code, meaning }: CodeProps) =>
  meaning === null ? (
    code
  ) : (
    <Explained term={code} meaning={meaning}>
      {code}
    </Explained>
  );

const Explained = ({ term, meaning, children }: { term: string; meaning: string; children: ReactNode }) => {
  const id = useId();
  // The types of React 18 lack these attributes.
  const [opens, popover]: object[] = [{ popovertarget: id }, { id, popover: "auto" }];
  return (
    <>
      <button type="button" title={meaning} className="term" {...opens}>
        {children}
      </button>
      <span className="term-meaning" {...popover}>
        {meaning}.{" "}
        <a href={`/docs/glossary#${termId(term)}`} className="link">
          Glossary
        </a>
      </span>
    </>
  );
};
