import {PageHead} from '../parts/page-head.tsx';
import {words} from '../words/words.ts';

export function MembersPage() {
  return <PageHead title={words.members.title} />;
}
