import {useInfiniteQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {lazy, Suspense} from 'react';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {useAskedPanel} from '../parts/palette/asked-panel.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {managesWorkspace} from '../parts/rights.ts';
import {Segments} from '../parts/segments.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useOpenDialog} from '../parts/use-open-dialog.ts';
import {texts} from '../texts/texts.ts';
import {Accounts} from './accounts.tsx';
import {tokensQuery} from './queries.ts';
import {TokenRow} from './row.tsx';
import type {TokensSearch} from './search.ts';

const MakeToken = lazy(async () => ({default: (await import('./make.tsx')).MakeToken}));

interface TokensProps {
  readonly me: Schema<'Me'>;
  readonly search: TokensSearch;
  readonly onMade: (made: Schema<'CreatedAccessToken'>) => void;
}

export function Tokens({me, search, onMade}: TokensProps) {
  const t = texts.tokens;
  const list = useInfiniteQuery(tokensQuery);
  const [isMaking, setMaking] = useOpenDialog('token');
  useAskedPanel('token', () => setMaking(true));
  const isAdmin = managesWorkspace(me);
  const showsAll = isAdmin && search.show === 'all';
  const all = list.data?.pages.flatMap(({data}) => data) ?? [];
  const rows = showsAll ? all : all.filter(({holder}) => holder.id === me.principal.id);
  const make = (
    <Button icon="plus" kind="first" onPress={() => setMaking(true)}>
      {t.make.open}
    </Button>
  );
  const isEmpty = list.data !== undefined && rows.length === 0 && !list.hasNextPage;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {isAdmin && (
          <Segments label={t.filter}>
            {(['own', 'all'] as const).map((one) => (
              <Link
                activeOptions={{exact: true}}
                aria-current={(one === 'all') === showsAll ? 'page' : undefined}
                key={one}
                replace
                search={one === 'all' ? {show: one} : {}}
                to="/tokens"
              >
                {t.show[one]}
              </Link>
            ))}
          </Segments>
        )}
        {!isEmpty && make}
      </div>
      {list.error !== null && <ProblemNote onRetry={list.refetch} problem={list.error} />}
      {list.data === undefined && list.error === null && <Skeleton height={240} />}
      {isEmpty && (
        <Empty action={make} icon="key" text={t.empty.text} title={showsAll ? t.empty.all : t.empty.own} />
      )}
      {rows.length > 0 && (
        <Card as="div" padding="none">
          <ul aria-label={t.list} className="divide-y divide-line">
            {rows.map((token) => (
              <TokenRow
                isOpen={token.id === search.token}
                key={token.id}
                me={me}
                search={search}
                token={token}
              />
            ))}
          </ul>
        </Card>
      )}
      {list.hasNextPage && (
        <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
      {isAdmin && <Accounts isWhole={list.data !== undefined && !list.hasNextPage} tokens={all} />}
      {isMaking && (
        <Suspense>
          <MakeToken isAdmin={isAdmin} me={me} onClose={() => setMaking(false)} onMade={onMade} />
        </Suspense>
      )}
    </>
  );
}
