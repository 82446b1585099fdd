import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {Button} from '../parts/button.tsx';
import {Hidden} from '../parts/hidden.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import {everyTeamQuery, importsQuery} from './queries.ts';
import {ReportStep} from './report-step.tsx';
import {continueRun, dropRun, endImport, type ImportRun, stopRun} from './run.ts';
import {importSetup} from './setup.ts';
import {Step} from './step.tsx';
import {TakeBack} from './take-back.tsx';

export function RunStep({run}: {readonly run: ImportRun}) {
  if (run.state !== 'done') return <Progress run={run} />;
  return run.plan.isDry ? <ReportStep run={run} /> : <Finished run={run} />;
}

/** The step (percent) in which screen readers are told the progress. */
const announcedStep = 10;

function Progress({run}: {readonly run: ImportRun}) {
  const {progress: t} = texts.imports;
  const {plan, sent, state, isWaiting, problem} = run;
  const all = plan.rows.length;
  const isSending = state === 'sending';
  const percent = Math.floor((100 * sent) / Math.max(1, all) / announcedStep) * announcedStep;
  const label = (plan.isDry ? t.checking : t.importing)({name: plan.source});
  return (
    <Step title={isSending ? label : t.stopped}>
      <div className="grid gap-1">
        <progress
          aria-label={label}
          // Chromium draws its own bar, in the accent colour, only if no rule sets the border.
          className="w-full accent-accent [border:revert]"
          max={Math.max(1, all)}
          value={sent}
        />
        <p className="text-sm text-quiet">{t.sent({sent, all})}</p>
      </div>
      <div role="status">
        {isSending && <Hidden>{t.percent({percent})}</Hidden>}
        {isSending && isWaiting && <p>{t.waiting}</p>}
        {!isSending && problem === undefined && <p>{t.stoppedText({isDry: plan.isDry})}</p>}
      </div>
      {problem !== undefined && <ProblemNote onRetry={continueRun} problem={problem} />}
      {isSending ? (
        <>
          <p className="text-sm text-quiet">{t.keepOpen}</p>
          <div>
            <Button onPress={stopRun}>{t.stop}</Button>
          </div>
        </>
      ) : (
        <StoppedActions run={run} />
      )}
    </Step>
  );
}

function StoppedActions({run: {plan, id, report, problem}}: {readonly run: ImportRun}) {
  const {progress: t} = texts.imports;
  const keep = useAction(() => endImport(id ?? '', 'keep'));
  const {data: imports} = useInfiniteQuery(importsQuery);
  // An import that was continued has created more than this run.
  const listed = imports?.pages.flatMap(({data}) => data).find((one) => one.id === id);
  // Someone else may have ended it.
  const canEnd = id !== undefined && !plan.isDry && problem?.code !== 'import_closed';
  return (
    <>
      {keep.problem !== undefined && <ProblemNote problem={keep.problem} />}
      <div className="flex flex-wrap gap-3">
        {problem === undefined && (
          <Button kind="first" onPress={() => void continueRun()}>
            {t.continue}
          </Button>
        )}
        {canEnd ? (
          <>
            <Button isPending={keep.isPending} onPress={() => void keep.run()}>
              {t.end}
            </Button>
            <TakeBack
              created={listed?.counts.created ?? report.counts.created}
              id={id}
              label={t.takeBack}
              source={plan.source}
            />
          </>
        ) : (
          <Button onPress={dropRun}>{t.back}</Button>
        )}
      </div>
    </>
  );
}

const teamsShown = 10;

function Finished({run: {report}}: {readonly run: ImportRun}) {
  const {done: t} = texts.imports;
  const {data: teams = []} = useQuery(everyTeamQuery);
  const {counts} = report;
  const leave = (): void => {
    importSetup.set(undefined);
    dropRun();
  };
  return (
    <Step title={t.title}>
      <p role="status">
        {t.created({count: counts.created})}{' '}
        {counts.existing > 0 && texts.imports.report.existing({count: counts.existing})}
      </p>
      {counts.created > 0 && (
        <>
          <ul className="flex flex-wrap gap-x-5 gap-y-1">
            <li>
              <Link search={{source: 'import'}} to="/history">
                {t.standups}
              </Link>
            </li>
            {[...report.teams.keys()].slice(0, teamsShown).map((slug) => (
              <li key={slug}>
                <Link dir="auto" search={{source: 'import', team: slug}} to="/history">
                  {t.ofTeam({name: teams.find((team) => team.slug === slug)?.name ?? slug})}
                </Link>
              </li>
            ))}
          </ul>
          <p className="text-sm text-quiet">{t.below}</p>
        </>
      )}
      <div>
        <Button onPress={leave}>{t.again}</Button>
      </div>
    </Step>
  );
}
