import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';

export function WorkspacePage() {
  return <PageHead title={words.workspace.title} />;
}
