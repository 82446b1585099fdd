import {useInfiniteQuery, useQuery} from '@tanstack/react-query';
import type {ReactNode} from 'react';
import {Button} from '../parts/button.tsx';
import {useStore} from '../parts/store.ts';
import {formatNumber, formatSpan} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {FileErrors} from './file-errors.tsx';
import {showFileText} from './file-text.ts';
import {everyMemberQuery, everyTeamQuery, importsQuery} from './queries.ts';
import {countRefused, type ImportReport, type LeftOutRow, refusals, type ReportedPerson} from './report.ts';
import {dropRun, type ImportRun, startRun} from './run.ts';
import {importSetup} from './setup.ts';
import {Remark, Step} from './step.tsx';
import {findOpenImport} from './taking-back.ts';
import type {UnsentRows} from './teams.ts';

/** The result of a dry run: a person decides by it whether the import begins. */
export function ReportStep({run: {plan, report}}: {readonly run: ImportRun}) {
  const {report: t} = texts.imports;
  const setup = useStore(importSetup);
  const {data: imports} = useInfiniteQuery(importsQuery);
  const open = findOpenImport(imports?.pages.flatMap(({data}) => data) ?? []);
  const {counts, nearMidnight} = report;
  const isOfOther = open !== undefined && open.source !== plan.source;
  const start = (): void => startRun({...plan, isDry: false, continued: open?.id});
  return (
    <Step title={t.title}>
      <div className="grid gap-1" role="status">
        <p className="font-semibold">
          {counts.created === 0 ? t.nothing : t.created({count: counts.created})}
        </p>
        {counts.existing > 0 && <p>{t.existing({count: counts.existing})}</p>}
      </div>
      {report.teams.size > 0 && <Teams report={report} />}
      {setup?.mapped !== undefined && <FileErrors mapped={setup.mapped} />}
      <LeftOut report={report} unsent={plan.unsent} />
      {nearMidnight > 0 && <Remark isDanger>{t.nearMidnight({count: nearMidnight})}</Remark>}
      <People report={report} />
      {open !== undefined && (
        <Remark isDanger={isOfOther}>
          <p dir="auto">{(isOfOther ? t.otherOpen : t.continued)({source: open.source})}</p>
        </Remark>
      )}
      <div className="flex flex-wrap gap-3">
        <Button isDisabled={isOfOther || counts.created === 0} kind="first" onPress={start}>
          {open === undefined || isOfOther ? t.start({count: counts.created}) : t.continue}
        </Button>
        <Button onPress={dropRun}>{t.change}</Button>
      </div>
    </Step>
  );
}

function Teams({report}: {readonly report: ImportReport}) {
  const {report: t} = texts.imports;
  const {data: teams = []} = useQuery(everyTeamQuery);
  return (
    <table className="w-full text-start [&_td]:py-1 [&_td]:pe-3 [&_th]:pe-3 [&_th]:text-start [&_th]:font-medium">
      <thead>
        <tr>
          <th scope="col">{t.team}</th>
          <th scope="col">{t.standups}</th>
          <th scope="col">{t.days}</th>
        </tr>
      </thead>
      <tbody>
        {[...report.teams].map(([slug, {created, from, until}]) => (
          <tr className="border-t border-line" key={slug}>
            <td dir="auto">{teams.find((team) => team.slug === slug)?.name ?? slug}</td>
            <td>{formatNumber(created)}</td>
            <td>{formatSpan(from, until)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LeftOut({report, unsent}: {readonly report: ImportReport; readonly unsent: UnsentRows}) {
  const {report: t} = texts.imports;
  const {counts, examples} = report;
  const {ofOtherTeams, repeated} = unsent;
  const all = countRefused(counts) + ofOtherTeams + repeated;
  if (all === 0) return null;
  return (
    <More summary={t.leftOut({count: all})}>
      <ul className="grid gap-3">
        {ofOtherTeams > 0 && (
          <li>
            {t.yours}: {formatNumber(ofOtherTeams)}
          </li>
        )}
        {repeated > 0 && (
          <li>
            {t.repeated}: {formatNumber(repeated)}
          </li>
        )}
        {refusals
          .filter((outcome) => counts[outcome] > 0)
          .map((outcome) => (
            <li key={outcome}>
              {t.reasons[outcome]}: {formatNumber(counts[outcome])}
              <ul className="ps-4 text-sm text-quiet">
                {examples.get(outcome)?.map((example) => (
                  <Example key={example.line} {...example} />
                ))}
              </ul>
            </li>
          ))}
      </ul>
    </More>
  );
}

function Example({line, row, errors}: LeftOutRow) {
  const {report: t} = texts.imports;
  const {author, date, posted_at: at} = row;
  return (
    <li>
      {t.line({line: formatNumber(line)})}: <bdi>{author.name}</bdi>, <bdi>{date ?? at ?? row.team}</bdi>
      {errors.map((error) => (
        <p key={error}>{error}</p>
      ))}
    </li>
  );
}

const peopleShown = 100;

function People({report}: {readonly report: ImportReport}) {
  const {report: t} = texts.imports;
  const {data: members} = useQuery(everyMemberQuery);
  const people = [...report.people.values()].filter(({member}) => member !== null);
  const [formers, matched] = [
    people.filter(({isFormer}) => isFormer),
    people.filter(({isFormer}) => !isFormer),
  ];
  const nameOf = ({member}: ReportedPerson): string => members?.names.get(member ?? '') ?? member ?? '';
  return (
    <>
      {matched.length > 0 && (
        <More summary={t.members({count: matched.length})}>
          <Names
            names={matched.map((person) => t.is({name: showFileText(person.name), member: nameOf(person)}))}
          />
        </More>
      )}
      {formers.length > 0 && (
        <More summary={t.formers({count: formers.length})}>
          <p className="mb-2 text-pretty">{t.formersText}</p>
          <Names names={formers.map(({name}) => name)} />
        </More>
      )}
    </>
  );
}

function Names({names}: {readonly names: readonly string[]}) {
  return (
    <ul className="grid gap-1">
      {names.slice(0, peopleShown).map((name, index) => (
        // Two people may have one name.
        <li dir="auto" key={`${index} ${name}`}>
          {name}
        </li>
      ))}
      {names.length > peopleShown && (
        <li className="text-quiet">{texts.imports.report.andMore({count: names.length - peopleShown})}</li>
      )}
    </ul>
  );
}

function More({summary, children}: {readonly summary: string; readonly children: ReactNode}) {
  return (
    <details>
      <summary className="min-h-row cursor-pointer py-1.5 font-medium">{summary}</summary>
      <div className="ps-4 pt-1">{children}</div>
    </details>
  );
}
