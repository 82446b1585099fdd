import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {useStore} from '../parts/store.ts';
import {useAction} from '../parts/use-action.ts';
import {useNow} from '../parts/use-now.ts';
import {formatTimeSince} from '../texts/format.ts';
import {findText, texts} from '../texts/texts.ts';
import {importQuery, importsQuery} from './queries.ts';
import {countRefused} from './report.ts';
import {endImport, importRun} from './run.ts';
import {TakeBack} from './take-back.tsx';
import {canTakeBack, findOpenImport, type Import} from './taking-back.ts';

export function ImportList() {
  const {list: t} = texts.imports;
  const {data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage} =
    useInfiniteQuery(importsQuery);
  const run = useStore(importRun);
  // A dry run has created nothing that a person could look for here.
  const rows = data?.pages.flatMap(({data: page}) => page.filter(({dry_run: isDry}) => !isDry)) ?? [];
  const open = findOpenImport(rows);
  return (
    <>
      {open !== undefined && open.id !== run?.id && <OpenImport found={open} />}
      <Card labelledBy="imports">
        <h2 id="imports">{t.title}</h2>
        {data === undefined ? (
          error === null ? (
            <Skeleton lines={3} />
          ) : (
            <ProblemNote onRetry={refetch} problem={error} />
          )
        ) : rows.length === 0 && !hasNextPage ? (
          <p>{t.none}</p>
        ) : (
          <ul className="divide-y divide-line">
            {rows.map((one) => (
              <ImportRow key={one.id} listed={one} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()} size="small">
            {t.more}
          </Button>
        )}
      </Card>
    </>
  );
}

/** An import that another tab or a program has begun, or that was interrupted. */
function OpenImport({found: {id, source, created_at: begun}}: {readonly found: Import}) {
  const {open: t} = texts.imports;
  const now = useNow(20_000);
  const keep = useAction(() => endImport(id, 'keep'));
  return (
    <Card labelledBy="import-open">
      <div className="grid gap-3">
        <h2 dir="auto" id="import-open">
          {t.title({source})}
        </h2>
        <p className="text-pretty">{t.text({when: formatTimeSince(begun, now)})}</p>
        {keep.problem !== undefined && <ProblemNote onRetry={keep.run} problem={keep.problem} />}
        <div>
          <Button isPending={keep.isPending} onPress={() => void keep.run()}>
            {t.keep}
          </Button>
        </div>
      </div>
    </Card>
  );
}

const tones: Readonly<Record<string, string>> = {
  open: 'expected',
  completed: 'posted',
  cancelled: 'skipped',
  abandoned: 'late',
  removing: 'late',
  removed: 'skipped',
};

function ImportRow({listed}: {readonly listed: Import}) {
  const {list: t} = texts.imports;
  const now = useNow(60_000);
  const [isTakenBack, setTakenBack] = useState(false);
  // Polled alone while it is taken back: the list may have many pages.
  const isFollowed = isTakenBack || listed.state === 'removing';
  const {data: polled} = useQuery({...importQuery(listed.id), enabled: isFollowed});
  const found = polled ?? listed;
  const {source, state, counts, created_at: begun, removed, kept} = found;
  const isRemoving = state === 'removing';
  const progress = t.removed({removed, all: counts.created});
  return (
    <li aria-label={source} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 grow basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <bdi>{source}</bdi>
          <Badge tone={tones[state]}>{findText(t.states, state) ?? state}</Badge>
        </p>
        <p>
          {t.counts({
            created: counts.created,
            existing: counts.existing,
            refused: countRefused(counts),
          })}
        </p>
        {isRemoving && (
          <progress
            aria-label={progress}
            className="w-60 max-w-full align-[-0.2em] accent-accent [border:revert]"
            max={Math.max(1, counts.created)}
            value={removed + kept}
          />
        )}
        {(isRemoving || state === 'removed') && (
          <p role="status">
            {progress}
            {t.kept({kept})}
          </p>
        )}
        <p className="text-xs text-quiet">
          {t.begun} <Stamp instant={begun} relative />
        </p>
      </div>
      {canTakeBack(found, now) && (
        <TakeBack
          created={counts.created}
          id={listed.id}
          label={texts.imports.takeBack.open}
          onBegun={() => setTakenBack(true)}
          size="small"
          source={source}
        />
      )}
    </li>
  );
}
