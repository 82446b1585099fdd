import {useQuery} from '@tanstack/react-query';
import {useParams} from '@tanstack/react-router';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {words} from '../words/words.ts';
import {WebhookActions} from './actions.tsx';
import {webhookQuery} from './queries.ts';
import {Replays} from './replays.tsx';
import {WebhookSettings} from './settings.tsx';

export function WebhookPage() {
  const {webhook: id} = useParams({from: '/framed/webhooks/$webhook'});
  const {data: webhook, error} = useQuery(webhookQuery(id));
  if (webhook === undefined) {
    return (
      <>
        <PageHead title={words.webhooks.title} />
        {error === null ? <Skeleton height={240} /> : <ProblemNote problem={error} />}
      </>
    );
  }
  return (
    <>
      <PageHead actions={<WebhookActions webhook={webhook} />} title={webhook.description ?? webhook.url} />
      <h2>{words.webhookChanges.replay.title}</h2>
      <Replays webhook={webhook} />
      <h2>{words.webhookChanges.settings.title}</h2>
      <WebhookSettings webhook={webhook} />
    </>
  );
}
