import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';
import {CreateWebhook} from './create.tsx';

export function WebhooksPage() {
  return <PageHead actions={<CreateWebhook />} title={words.webhooks.title} />;
}
