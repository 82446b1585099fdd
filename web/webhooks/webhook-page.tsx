import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';

export function WebhookPage() {
  return <PageHead title={words.webhooks.title} />;
}
