import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {useRef} from 'react';
import {Problem} from '../api/problem.ts';
import type {Schema} from '../api/schema.ts';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {useNow} from '../parts/use-now.ts';
import {texts} from '../texts/texts.ts';
import {BlockerList, blockerPageClass} from './list.tsx';
import {blockerQuery} from './queries.ts';
import {useRowKeys} from './use-row-keys.ts';

export function OneBlocker({id, me}: {readonly id: string; readonly me: Schema<'Me'>}) {
  const {one} = texts.blockers;
  const query = useQuery({...blockerQuery(id), select: (found) => [found]});
  const {error} = query;
  const blocker = query.data?.[0];
  const container = useRef<HTMLDivElement>(null);
  const now = useNow(60_000);
  useRowKeys(container);
  const isGone = error instanceof Problem && (error.status === 404 || error.status === 410);
  const all = (
    <Link className="inline-flex min-h-6 items-center gap-1" to="/blockers">
      <Icon name="arrow-left" size={16} /> {one.back}
    </Link>
  );
  return (
    <div className={blockerPageClass} ref={container}>
      {!isGone && <p>{all}</p>}
      <PageHead title={blocker === undefined ? one.title : one.of({name: blocker.author.name})} />
      {isGone ? (
        <Empty action={all} icon="blocker" text={one.goneText} title={one.gone} />
      ) : (
        <BlockerList
          filter={{teams: undefined, state: blocker?.state === 'resolved' ? 'resolved' : 'open'}}
          me={me}
          now={now}
          query={query}
        />
      )}
    </div>
  );
}
