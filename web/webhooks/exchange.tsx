import type {ReactNode} from 'react';
import type {Attempt} from '../api/schema.ts';
import {texts} from '../texts/texts.ts';

/** Shows an attempt's request on the left and the receiver's response on the right, as plain text. */
export function Exchange({
  attempt: {request, response, error, status},
  event,
  isThin,
}: {
  readonly attempt: Attempt;
  readonly event: string;
  readonly isThin: boolean;
}) {
  const t = texts.webhooks.waterfall;
  if (request === null) return <p className="text-xs text-quiet">{t.notKept}</p>;
  const address = `/app/events?event=${event}`;
  return (
    <div className="grid grid-cols-2 gap-3 max-[800px]:grid-cols-1">
      <Message title={t.request}>
        <p className="mb-1 text-start font-semibold data-failed:text-missed" dir="ltr">
          {request.method} {request.url}
        </p>
        <HeaderList headers={request.headers} />
        <p className="text-xs text-quiet">
          {isThin ? t.thinBody : t.body} <a href={address}>{event}</a>
        </p>
      </Message>
      <Message title={t.answer}>
        {response === null ? (
          <p className="text-xs text-quiet">{t.noAnswer}</p>
        ) : (
          <>
            <p
              className="mb-1 text-start font-semibold data-failed:text-missed"
              data-failed={error !== null || undefined}
              dir="ltr"
            >
              {status}
            </p>
            <HeaderList headers={response.headers} />
            {response.body === null ? (
              <p className="text-xs text-quiet">{t.emptyBody}</p>
            ) : (
              <pre
                aria-label={t.answer}
                className="max-h-60 overflow-auto rounded-sm bg-inset p-2 font-mono text-xs whitespace-pre-wrap focus-visible:outline-2"
                dir="auto"
                role="group"
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long text scrolls by key
                tabIndex={0}
              >
                {response.body}
              </pre>
            )}
          </>
        )}
      </Message>
    </div>
  );
}

function Message({title, children}: {readonly title: string; readonly children: ReactNode}) {
  return (
    <section aria-label={title} className="min-w-0 rounded-md border border-line p-3">
      <h4 className="mb-1 font-bold">{title}</h4>
      {children}
    </section>
  );
}

function HeaderList({headers}: {readonly headers: Readonly<Record<string, string>>}) {
  return (
    <dl aria-label={texts.webhooks.waterfall.headers} className="mb-2 text-start text-xs" dir="ltr">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt className="inline text-quiet after:content-[':_']">{name}</dt>
          <dd className="inline">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
