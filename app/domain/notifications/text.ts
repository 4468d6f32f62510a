import type { Message } from "./messages.ts";

/** Renders a message as plain text. */
export const textOf = ({ paragraphs, facts, action, appUrl }: Message): string => {
  const blocks = [
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`).join("\n"),
    `${action.lead}: ${action.url}`,
    `${serviceName}\n${appUrl}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
};

export const serviceName = "Shipping Route Data Service";
