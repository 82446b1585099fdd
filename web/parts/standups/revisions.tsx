import {useInfiniteQuery} from '@tanstack/react-query';
import type {ShownStandup} from '../../api/schema.ts';
import {Button} from '../button.tsx';
import {Hidden} from '../hidden.tsx';
import {ProblemNote} from '../problem-note.tsx';
import {Skeleton} from '../skeleton.tsx';
import {formatDay, formatMoment} from '../../texts/format.ts';
import {texts} from '../../texts/texts.ts';
import {findLineDifference} from './line-difference.ts';
import {revisionsQuery} from './standup-pages.ts';

type RevisionContent = Pick<ShownStandup, 'update' | 'date' | 'revision' | 'updated_at'>;

/** Shows the revisions of a standup, newest first, as removed and added lines. */
export function Revisions({standup}: {readonly standup: ShownStandup}) {
  const {data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch} = useInfiniteQuery(
    revisionsQuery(standup.id),
  );
  const {heading, none, more} = texts.history.revisions;
  if (data === undefined) {
    return error === null ? <Skeleton lines={3} /> : <ProblemNote problem={error} onRetry={refetch} />;
  }
  const said: readonly RevisionContent[] = [standup, ...data.pages.flatMap((page) => page.data)];
  const steps = said.slice(0, -1).map((now, i) => ({now, before: said[i + 1] ?? now}));
  return (
    <section aria-label={heading} className="mt-4 border-t border-line pt-3 [&_p]:text-quiet">
      {steps.length === 0 && <p>{none}</p>}
      <ol className="mb-2 grid gap-4">
        {steps.map(({now, before}) => (
          <li key={now.revision}>
            <RevisionStep before={before} now={now} />
          </li>
        ))}
      </ol>
      {error !== null && <ProblemNote problem={error} onRetry={fetchNextPage} />}
      {hasNextPage && error === null && (
        <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()} size="small">
          {more}
        </Button>
      )}
    </section>
  );
}

const lineClass =
  'relative block min-h-6 ps-8 pe-3 whitespace-pre-wrap no-underline before:absolute before:start-3 before:font-semibold';
const goneClass = `bg-[light-dark(#fdf0ee,#2d1a18)] before:text-missed before:content-['−'_/_'']`;
const addedClass = `bg-[light-dark(#edf7ef,#142a1c)] before:text-posted before:content-['+'_/_'']`;

function RevisionStep({before, now}: {readonly before: RevisionContent; readonly now: RevisionContent}) {
  const {changed, moved, textUnchanged, gone, added} = texts.history.revisions;
  const lines = findLineDifference(before.update, now.update);
  const hasTextChanged = lines.some(({kind}) => kind !== 'same');
  let at = 0;
  return (
    <>
      <h3 className="mb-1.5 text-xs font-[500] text-quiet">
        {changed({moment: formatMoment(now.updated_at)})}
      </h3>
      {before.date !== now.date && <p>{moved({from: formatDay(before.date), to: formatDay(now.date)})}</p>}
      {!hasTextChanged && before.date === now.date && <p>{textUnchanged}</p>}
      {hasTextChanged && (
        <div className="overflow-hidden rounded-md border border-line">
          {lines.map(({kind, text}) => {
            at += 1;
            if (kind === 'same') {
              return (
                <div className={lineClass} dir="auto" key={at}>
                  {text}
                </div>
              );
            }
            const Element = kind === 'gone' ? 'del' : 'ins';
            const look = kind === 'gone' ? goneClass : addedClass;
            return (
              <Element className={`${lineClass} ${look}`} dir="auto" key={at}>
                <Hidden>{kind === 'gone' ? gone : added}</Hidden>
                {text}
              </Element>
            );
          })}
        </div>
      )}
    </>
  );
}
