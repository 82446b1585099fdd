import {createServer, type IncomingHttpHeaders, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/** A span as a collector gets it by OTLP with JSON. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** 2: server, 3: client, 5: consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly {readonly traceId: string; readonly spanId: string}[];
  readonly status: {readonly code?: number; readonly message?: string};
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
  }[];
  /** Decides the answer from now on, also to requests that hang; by default every request is taken. */
  respondWith(status: number | 'hang'): void;
  close(): Promise<void>;
}

type Values = readonly {readonly key: string; readonly value: Readonly<Record<string, unknown>>}[];

/** Starts a collector of OpenTelemetry on a free loopback port. It takes OTLP with JSON over HTTP. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: {path: string; headers: IncomingHttpHeaders; text: string}[] = [];
  let answer: number | 'hang' = 200;
  let hanging: ServerResponse[] = [];

  function take(path: string, headers: IncomingHttpHeaders, text: string, response: ServerResponse): void {
    requests.push({path, headers, text});
    if (answer === 'hang') return void hanging.push(response);
    if (answer === 200) spans.push(...readSpans(text));
    response.writeHead(answer, {'content-type': 'application/json'}).end('{}');
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      take(request.url ?? '', request.headers, Buffer.concat(chunks).toString(), response),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    respondWith(status) {
      answer = status;
      if (status === 'hang') return;
      for (const response of hanging) response.writeHead(status).end();
      hanging = [];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readSpans(text: string): CollectedSpan[] {
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of the protocol
  const {resourceSpans} = JSON.parse(text) as {resourceSpans: readonly any[]};
  return resourceSpans.flatMap(({resource, scopeSpans}) =>
    // oxlint-disable-next-line typescript/no-explicit-any -- JSON of the protocol
    scopeSpans.flatMap(({spans}: {spans: readonly any[]}) =>
      spans.map((span) => ({
        ...span,
        parentSpanId: span.parentSpanId || undefined,
        attributes: readValues(span.attributes),
        links: span.links ?? [],
        status: span.status ?? {},
        resource: readValues(resource.attributes),
      })),
    ),
  );
}

function readValues(values: Values = []): Record<string, unknown> {
  return Object.fromEntries(values.map(({key, value}) => [key, Object.values(value)[0]]));
}
