import {texts} from '../texts/texts.ts';
import styles from './exchange.module.css';
import type {Attempt} from './queries.ts';

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
  if (request === null) return <p className={styles['quiet']}>{t.notKept}</p>;
  const address = `/app/events?event=${event}`;
  return (
    <div className={styles['exchange']}>
      <section aria-label={t.request}>
        <h4>{t.request}</h4>
        <p className={styles['first']} dir="ltr">
          {request.method} {request.url}
        </p>
        <HeaderList headers={request.headers} />
        <p className={styles['quiet']}>
          {isThin ? t.thinBody : t.body} <a href={address}>{event}</a>
        </p>
      </section>
      <section aria-label={t.answer}>
        <h4>{t.answer}</h4>
        {response === null ? (
          <p className={styles['quiet']}>{t.noAnswer}</p>
        ) : (
          <>
            <p className={styles['first']} data-failed={error !== null || undefined} dir="ltr">
              {status}
            </p>
            <HeaderList headers={response.headers} />
            {response.body === null ? (
              <p className={styles['quiet']}>{t.emptyBody}</p>
            ) : (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long text scrolls by key
              <pre aria-label={t.answer} className={styles['body']} dir="auto" role="group" tabIndex={0}>
                {response.body}
              </pre>
            )}
          </>
        )}
      </section>
    </div>
  );
}

function HeaderList({headers}: {readonly headers: Readonly<Record<string, string>>}) {
  return (
    <dl aria-label={texts.webhooks.waterfall.headers} className={styles['headers']} dir="ltr">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
