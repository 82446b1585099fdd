import {useQuery} from '@tanstack/react-query';
import {Link, useRouter} from '@tanstack/react-router';
import {lazy, Suspense, useEffect, useState} from 'react';
import {meQuery} from '../api/queries.ts';
import {Empty} from '../parts/empty.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {managesWorkspace} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {useStore} from '../parts/store.ts';
import {toast} from '../parts/toast.ts';
import {imports} from '../texts/compiled/en/imports.ts';
import {addTexts, texts} from '../texts/texts.ts';
import {FileStep} from './file-step.tsx';
import {ImportList} from './list.tsx';
import {importRun} from './run.ts';
import {importSetup} from './setup.ts';

// Not with the messages of all screens for leads: each of these would load the many texts of this one.
addTexts({imports});

const ColumnsStep = lazy(async () => ({default: (await import('./columns-step.tsx')).ColumnsStep}));
const PeopleStep = lazy(async () => ({default: (await import('./people-step.tsx')).PeopleStep}));
const RunStep = lazy(async () => ({default: (await import('./run-step.tsx')).RunStep}));

export function ImportPage() {
  const {data: me, error} = useQuery(meQuery);
  const {imports: t} = texts;
  return (
    <>
      <PageHead
        sub={
          <>
            {t.sub} <Link to="/workspace">{t.toWorkspace}</Link>
          </>
        }
        title={t.title}
      />
      {me === undefined ? (
        error === null ? (
          <Skeleton height={240} />
        ) : (
          <ProblemNote problem={error} />
        )
      ) : managesWorkspace(me) ? (
        <div className="grid max-w-narrow gap-4 *:min-w-0">
          <CurrentStep />
          <ImportList />
        </div>
      ) : (
        <Empty icon="key" text={t.forbidden.text} title={t.forbidden.title} />
      )}
    </>
  );
}

function CurrentStep() {
  const run = useStore(importRun);
  const setup = useStore(importSetup);
  const isAtStart = run === undefined && setup === undefined;
  const [hasBegun, setBegun] = useState(false);
  if (!isAtStart && !hasBegun) setBegun(true);
  useNoticeWhenLeaving();
  if (isAtStart) return <FileStep isFirst={!hasBegun} />;
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      {run !== undefined ? (
        <RunStep run={run} />
      ) : setup === undefined ? null : setup.mapped === undefined ? (
        <ColumnsStep setup={setup} />
      ) : (
        <PeopleStep mapped={setup.mapped} setup={setup} />
      )}
    </Suspense>
  );
}

/** Says that rows are still being sent when the person goes to another page of the app. */
function useNoticeWhenLeaving(): void {
  const router = useRouter();
  useEffect(
    () => () => {
      if (importRun.get()?.state !== 'sending') return;
      const {goesOn, show} = texts.imports;
      toast({text: goesOn, next: {label: show, run: () => router.navigate({to: '/workspace/import'})}});
    },
    [router],
  );
}
