import {useQuery} from '@tanstack/react-query';
import {getRouteApi} from '@tanstack/react-router';
import {lazy, Suspense, useState} from 'react';
import {readDraft} from '../api/drafts.ts';
import {meQuery} from '../api/queries.ts';
import type {Webhook, WebhookHealth} from '../api/schema.ts';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {managesWorkspace} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {useNow} from '../parts/use-now.ts';
import {texts} from '../texts/texts.ts';
import {WebhookActions} from './actions.tsx';
import {Deliveries} from './deliveries.tsx';
import {HourBars} from './hour-bars.tsx';
import {describeEventTypes, nameWebhook} from './names.ts';
import {healthQuery, buildSettingsDraftKey, buildReadPermissionCheck, webhookQuery} from './queries.ts';
import {Replays} from './replays.tsx';
import {describeHealth, imminentMs, findHealthState} from './sentence.ts';
import {HealthMark} from './health-mark.tsx';
import {TryNow} from './try-now.tsx';

const route = getRouteApi('/framed/webhooks/$webhook');

const everyMs = 5_000;

export function WebhookPage() {
  const {webhook: id} = route.useParams();
  const {data: me, error: unknown} = useQuery(meQuery);
  const isAllowed = me !== undefined && managesWorkspace(me);
  const enabled = (): boolean => isAllowed && buildReadPermissionCheck(id)();
  const {data: webhook, error: unread, refetch} = useQuery({...webhookQuery(id), enabled});
  const {data: health, error: unwell} = useQuery({...healthQuery(id, everyMs), enabled});
  const error = unknown ?? unread;
  if (webhook === undefined) {
    return (
      <>
        <PageHead title={texts.webhooks.title} />
        {me !== undefined && !isAllowed && <Empty icon="webhook" {...texts.webhooks.forManagers} />}
        {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
        {error === null && (me === undefined || isAllowed) && <Skeleton height={240} />}
      </>
    );
  }
  const name = nameWebhook(webhook);
  // The key resets typed text when the page shows another webhook.
  return (
    <div className="grid gap-4 *:min-w-0 [&>header]:mb-0!" key={webhook.id}>
      <PageHead
        actions={<WebhookActions webhook={webhook} />}
        sub={
          <>
            {name !== webhook.url && (
              <span className="block text-start" dir="ltr">
                {webhook.url}
              </span>
            )}
            <span className="block text-xs">{describeEventTypes(webhook)}</span>
          </>
        }
        title={name}
      />
      {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
      {unwell !== null && <ProblemNote problem={unwell} />}
      {health === undefined && unwell === null && <Skeleton height={64} />}
      {health !== undefined && <HealthCard health={health} webhook={webhook} />}
      {health !== undefined && <HourBars health={health} />}
      <Card as="div">
        <h2>{texts.webhookChanges.replay.title}</h2>
        <Replays webhook={webhook} />
      </Card>
      <Deliveries health={health} webhook={webhook} />
      <SettingsFold webhook={webhook} />
    </div>
  );
}

const WebhookSettings = lazy(async () => ({default: (await import('./settings.tsx')).WebhookSettings}));

function SettingsFold({webhook}: {readonly webhook: Webhook}) {
  const [isOpen, setOpen] = useState(() => readDraft(buildSettingsDraftKey(webhook)) !== undefined);
  return (
    <Card as="div">
      <details className="group" onToggle={({currentTarget}) => setOpen(currentTarget.open)} open={isOpen}>
        <summary className="flex min-h-row cursor-pointer items-center gap-3 rounded-md group-open:mb-2 before:size-2 before:-rotate-45 before:border-e-2 before:border-b-2 before:border-quiet before:transition-[rotate] group-open:before:rotate-45 rtl:before:rotate-45 [&::-webkit-details-marker]:hidden">
          <h2>{texts.webhookChanges.settings.title}</h2>
        </summary>
        {isOpen && (
          <Suspense fallback={<Skeleton height={240} />}>
            <WebhookSettings webhook={webhook} />
          </Suspense>
        )}
      </details>
    </Card>
  );
}

function HealthCard({webhook, health}: {readonly webhook: Webhook; readonly health: WebhookHealth}) {
  const next = health.breaker.next_probe_at ?? health.backlog.next_attempt_at;
  const isImminent = next !== null && Date.parse(next) - Date.now() < imminentMs;
  const now = useNow(isImminent ? 1_000 : 20_000);
  const mayTry = webhook.enabled && health.backlog.pending > 0 && next !== null && Date.parse(next) > now;
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-3">
        <span className="pt-0.5" role="status">
          <HealthMark isTextHidden healthState={findHealthState(webhook, health)} />
        </span>
        <p className="min-w-0 grow basis-50 text-lg text-pretty">{describeHealth(webhook, health, now)}</p>
        {mayTry && <TryNow webhook={webhook} />}
      </div>
    </Card>
  );
}
