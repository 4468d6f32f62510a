import type { Fact, Message } from "./messages.ts";

/** Renders a message as plain text. */
export const textOf = ({ paragraphs, facts, groups = [], action, unsubscribe, appUrl }: Message): string => {
  const blocks = [
    ...paragraphs,
    linesOf(facts),
    ...groups.map(({ title, facts, links }) =>
      [title, linesOf(facts), ...links.map(({ label, url }) => `${label}: ${url}`)].join("\n"),
    ),
    `${action.lead}: ${action.url}`,
    unsubscribe ? `${unsubscribe.label}: ${unsubscribe.url}` : "",
    `${serviceName}\n${appUrl}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
};

export const serviceName = "Shipping Route Data Service";

const linesOf = (facts: readonly Fact[]): string => facts.map(({ label, value }) => `${label}: ${value}`).join("\n");
