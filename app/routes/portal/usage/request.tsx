import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { planLimits, storageInWords } from "#app/domain/plans/plans.ts";
import { budgetOf } from "#app/domain/rate-limit/policy.ts";
import { getLoggedRequest } from "#app/domain/usage/logs.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatNumber,
  formatSecond,
  formatTime,
} from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { HttpStatus, statusMeaning } from "./http-status.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data ? `${data.request.method} ${data.request.endpoint}` : "Request"} · Shipping Route Data Service`,
  },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const requestId = z.uuid().safeParse(args.params.request_id?.toLowerCase()).data;
  if (requestId === undefined) throw new Response("Request not found", { status: 404 });
  const request = await orErrorResponse(getLoggedRequest(ctx, caller, { requestId }));
  return {
    request: { ...request, occurredAt: request.occurredAt.toISOString() },
    hourlyLimit: budgetOf(caller.account).hourly,
    storageDays: planLimits[caller.account.plan].storageDays,
  };
};

const RequestPage = () => {
  const { request, hourlyLimit, storageDays } = useLoaderData<typeof loader>();
  const hour = `${request.occurredAt.slice(0, 13)}:00:00.000Z`;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Usage", to: "/usage" },
          { label: "Request log", to: "/usage/logs" },
        ]}
        title={
          <span className="font-mono text-xl [overflow-wrap:anywhere] sm:text-2xl">
            {request.method} {request.endpoint}
          </span>
        }
        badge={<HttpStatus status={request.status} />}
        description={
          <>
            Request ID <span className="font-mono [overflow-wrap:anywhere]">{request.requestId}</span>
          </>
        }
        actions={
          request.status >= 400 ? (
            <ButtonLink to={`/support/new?request_id=${request.requestId}`} icon="mail">
              Contact support
            </ButtonLink>
          ) : undefined
        }
      />
      {request.status >= 400 ? (
        <Alert tone={request.status === 429 ? "warning" : "danger"} title={statusMeaning(request.status).title}>
          {statusMeaning(request.status).advice}{" "}
          <Link to="/docs/errors" className="link">
            Errors in the documentation
          </Link>
        </Alert>
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="Request">
          <DescriptionList
            facts={[
              {
                term: "Time (UTC)",
                description: <time dateTime={request.occurredAt}>{formatSecond(request.occurredAt)}</time>,
              },
              { term: "Credentials", description: <Credentials /> },
              { term: "Path", description: <span className="font-mono text-[0.8125rem]">{request.endpoint}</span> },
              {
                term: "Route",
                description:
                  request.routeId === null ? (
                    "None"
                  ) : (
                    <Link to={`/routes/${request.routeId}`} className="link">
                      Route {request.routeId}
                    </Link>
                  ),
              },
            ]}
          />
        </Card>
        <Card title="Response">
          <DescriptionList
            facts={[
              { term: "Status", description: <HttpStatus status={request.status} /> },
              { term: "Duration", description: formatDuration(request.durationMs) },
              { term: "Size", description: formatBytes(request.responseBytes) },
              { term: "Counted as", description: formatCount(request.requestCost, "request") },
              {
                term: "Requests in that hour",
                description: (
                  <Link
                    to={`/usage/logs?from=${hour.slice(0, 16)}&to=${new Date(Date.parse(hour) + 3_600_000).toISOString().slice(0, 16)}`}
                    className="link"
                  >
                    {formatNumber(request.hourRequests)}, from {formatTime(hour)}
                  </Link>
                ),
              },
              { term: "Hourly limit today", description: formatNumber(hourlyLimit) },
            ]}
          />
        </Card>
      </div>
      <p className="text-[0.8125rem] text-muted">
        We log the path and the route of a request, not its other parameters, its body or the response. Your plan keeps
        requests {storageInWords(storageDays)}.
      </p>
    </div>
  );
};

export default RequestPage;

const Credentials = () => {
  const { apiKeyId, apiKeyName } = useLoaderData<typeof loader>().request;
  if (apiKeyId === null) return <>Bearer token</>;
  return (
    <Link to={`/usage/logs?api_key_id=${apiKeyId}`} className="link">
      {apiKeyName ?? "Deleted key"}
    </Link>
  );
};
