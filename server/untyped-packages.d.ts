/** Types for Express 4 and compression, which bring none, as far as the server uses them. */

declare module "express" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  export type Request = IncomingMessage & {
    method: string;
    url: string;
    path: string;
    originalUrl: string;
    query: Record<string, unknown>;
    get(header: string): string | undefined;
    accepts(types: string[]): string | false;
    acceptsEncodings(encoding: string): string | false;
  };
  export type Response = ServerResponse & {
    status(code: number): Response;
    type(name: string): Response;
    set(headers: Record<string, string>): Response;
    vary(header: string): Response;
    send(body: string): Response;
  };
  export type NextFunction = (error?: unknown) => void;
  export type Handler = (req: Request, res: Response, next: NextFunction) => void;
  export type ErrorHandler = (error: unknown, req: Request, res: Response, next: NextFunction) => void;
  type Application = RequestListener & {
    disable(setting: string): void;
    set(setting: string, value: unknown): void;
    use(...handlers: (Handler | ErrorHandler)[]): void;
    use(path: string, handler: Handler): void;
  };
  type StaticOptions = { maxAge?: string; immutable?: boolean; index?: false; redirect?: boolean };

  const express: { (): Application; static(folder: string, options: StaticOptions): Handler };
  export default express;
}

declare module "compression" {
  import type { Handler } from "express";

  const compression: () => Handler;
  export default compression;
}
