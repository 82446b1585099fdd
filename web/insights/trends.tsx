import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import type {Schema} from '../api/schema.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Segments} from '../parts/segments.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {texts} from '../texts/texts.ts';
import {trendsQuery} from './queries.ts';
import type {TrendStep} from './search.ts';
import type {SpanQuery} from './spans.ts';
import {BlockerTrends, QuestionTrends} from './trend-charts.tsx';
import {listAnswerColumns, listBlockerColumns} from './trend-columns.ts';

interface TrendsSectionProps {
  readonly team: string;
  readonly span: Required<SpanQuery>;
  readonly by: TrendStep;
  readonly questions: Schema<'Team'>['questions'] | undefined;
  /** Whether the viewer may change the team's questions. */
  readonly mayAsk: boolean;
}

/** How moods, numbers, choices, yes-or-no answers and blockers change, by week or day. */
export function TrendsSection({team, span, by, questions, mayAsk}: TrendsSectionProps) {
  const {data, error, refetch} = useQuery({
    ...trendsQuery(team, span, by),
    placeholderData: (before) => (before?.team === team ? before : undefined),
  });
  return (
    <section aria-labelledby="trends" className="mt-4 grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="trends">{texts.trends.heading}</h2>
        <StepChoice by={by} />
      </div>
      {error !== null && <ProblemNote onRetry={() => void refetch()} problem={error} />}
      {data === undefined ? (
        error === null && <Skeleton height={240} />
      ) : (
        <>
          {data.questions.length === 0 && <NoAnswers mayAsk={mayAsk} questions={questions} team={team} />}
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
            <QuestionTrends columns={listAnswerColumns(data)} trends={data} />
            <BlockerTrends columns={listBlockerColumns(data)} trends={data} />
          </div>
        </>
      )}
    </section>
  );
}

function StepChoice({by}: {readonly by: TrendStep}) {
  const say = texts.trends.by;
  return (
    <Segments label={say.label}>
      {(['week', 'day'] as const).map((one) => (
        <Link
          activeOptions={{explicitUndefined: true}}
          aria-current={one === by ? 'page' : undefined}
          key={one}
          replace
          resetScroll={false}
          search={(now) => ({...now, by: one === 'week' ? undefined : one})}
          to="."
        >
          {say[one]}
        </Link>
      ))}
    </Segments>
  );
}

function NoAnswers({team, questions, mayAsk}: Pick<TrendsSectionProps, 'team' | 'questions' | 'mayAsk'>) {
  const say = texts.trends.empty;
  if (questions?.some(({type}) => type !== 'text')) return <p className="text-quiet">{say.noAnswers}</p>;
  if (!mayAsk) return <p className="text-quiet">{say.askLead}</p>;
  return (
    <p className="text-quiet">
      {say.noQuestions}{' '}
      <Link params={{team}} to="/t/$team/settings">
        {say.add}
      </Link>
    </p>
  );
}
