import { micromark } from "micromark";

/**
 * Markdown (CommonMark) as HTML. HTML in the text is shown as text, and links with other protocols than http, https,
 * mailto and the like lose their target: the defaults of micromark, which the tests hold it to.
 */
export const markdownHtml = (text: string): string => micromark(text);
