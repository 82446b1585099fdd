import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {useRef, useState} from 'react';
import {meQuery} from '../api/queries.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {outcomeOf} from '../parts/deliveries/outcomes.ts';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {runsWorkspace} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {words} from '../words/words.ts';
import {CreateWebhook} from './create.tsx';
import {eventsOf, nameOf} from './names.ts';
import styles from './page.module.css';
import {healthQuery, type Webhook, webhooksQuery} from './queries.ts';
import {standingOf} from './sentence.ts';
import {StandingMark} from './standing-mark.tsx';

/** Each that is shown is asked how it does: not too often, and not all of hundreds. */
const readEveryMs = 15_000;
const shownAtOnce = 25;

/** All webhooks, and whether events arrive there. */
export function WebhooksPage() {
  const t = words.webhooks;
  const create = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState(shownAtOnce);
  const {data: me, error} = useQuery(meQuery);
  const isAllowed = me !== undefined && runsWorkspace(me);
  const list = useQuery({...webhooksQuery, enabled: isAllowed});
  const problem = error ?? list.error;
  return (
    <div className={styles['page']}>
      <PageHead
        actions={
          isAllowed && (
            <span ref={create}>
              <CreateWebhook />
            </span>
          )
        }
        sub={t.sub}
        title={t.title}
      />
      {me !== undefined && !isAllowed && <Empty icon="webhook" {...t.forManagers} />}
      {problem !== null && <ProblemNote onRetry={list.refetch} problem={problem} />}
      {list.data === undefined && problem === null && (me === undefined || isAllowed) && (
        <Skeleton height={180} />
      )}
      {list.data?.length === 0 && (
        <Empty
          // The form and the secret that it shows outlast the empty list, so they are opened in the head.
          action={
            <Button icon="plus" onPress={() => create.current?.querySelector('button')?.click()}>
              {t.first}
            </Button>
          }
          icon="webhook"
          {...t.empty}
        />
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <Card as="div" padding="none">
          <ul aria-label={t.list} className={styles['list']}>
            {list.data.slice(0, shown).map((webhook) => (
              <Row everyMs={(readEveryMs * shown) / shownAtOnce} key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        </Card>
      )}
      {list.data !== undefined && list.data.length > shown && (
        <Button onPress={() => setShown(shown + shownAtOnce)}>{t.more}</Button>
      )}
    </div>
  );
}

function Row({everyMs, webhook}: {readonly everyMs: number; readonly webhook: Webhook}) {
  const t = words.webhooks;
  const {data: health, error} = useQuery(healthQuery(webhook.id, everyMs));
  const {last_attempt: last = null, backlog} = health ?? {};
  return (
    <li className={styles['row']}>
      <div className={styles['name']}>
        <Link dir="auto" params={{webhook: webhook.id}} to="/webhooks/$webhook">
          {nameOf(webhook)}
        </Link>
        <span className={styles['url']} dir="ltr">
          {webhook.url}
        </span>
        <span className={styles['events']}>{eventsOf(webhook)}</span>
      </div>
      <div className={styles['state']}>
        {health !== undefined && <StandingMark standing={standingOf(webhook, health)} />}
        {health === undefined && error === null && <Skeleton lines={1} />}
        {error !== null && health === undefined && <ProblemNote problem={error} />}
      </div>
      {health !== undefined && (
        <dl className={styles['facts']}>
          <div>
            <dt>{t.lastResult}</dt>
            <dd>
              {last === null ? (
                t.never
              ) : (
                <>
                  {outcomeOf(last)}, <Stamp instant={last.at} relative />
                </>
              )}
            </dd>
          </div>
          <div>
            <dt>{t.backlog}</dt>
            <dd>{backlog?.pending ? t.waiting(backlog.pending) : t.nothingWaits}</dd>
          </div>
        </dl>
      )}
    </li>
  );
}
