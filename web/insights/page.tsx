import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';

export function InsightsPage() {
  return <PageHead title={words.insights.title} />;
}
