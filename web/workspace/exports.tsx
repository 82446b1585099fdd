import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense, useState} from 'react';
import {readStream} from '../api/read.ts';
import type {DateSpan} from '../parts/dates.ts';
import {ExportFile, type ExportFormat} from '../parts/export-file.tsx';
import {Select} from '../parts/select.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {teamsQuery} from '../parts/standups/team-name.tsx';
import {texts} from '../texts/texts.ts';

const DateRangePicker = lazy(async () => {
  const {DateRangePicker: part} = await import('../parts/date-range-picker.tsx');
  return {default: part};
});

const kinds = ['standups', 'absences', 'participation'] as const;
type ExportKind = (typeof kinds)[number];

const everyTeam = '*';

export function WorkspaceExports() {
  const {exports: t} = texts.workspace;
  const [kind, setKind] = useState<ExportKind>('standups');
  const [team, setTeam] = useState<string>(everyTeam);
  const [isSome, setSome] = useState(false);
  const [chosen, setDays] = useState<DateSpan | null>(null);
  const days = isSome ? chosen : null;
  const {data: teams} = useQuery(teamsQuery);
  const needsTeam = kind === 'participation' && team === everyTeam;
  const known = (teams?.data ?? []).map(({slug, name}) => ({id: slug, label: name}));
  return (
    <ExportFile
      isReady={!needsTeam}
      name={kind}
      open={(format, signal) => openExport(kind, team === everyTeam ? undefined : team, days, format, signal)}
      text={needsTeam ? t.chooseTeam : undefined}
      title={t.title}
    >
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(260px,100%),1fr))] items-start gap-3">
        <Select
          label={t.what}
          onChange={setKind}
          options={kinds.map((id) => ({id, label: t.kinds[id]}))}
          value={kind}
        />
        <Select
          label={t.team}
          onChange={setTeam}
          options={[{id: everyTeam, label: t.everyTeam}, ...known]}
          value={team}
        />
        <Select
          label={t.days}
          onChange={(which) => setSome(which === 'some')}
          options={[
            {id: 'all', label: kind === 'participation' ? t.lastDays : t.allDays},
            {id: 'some', label: t.someDays},
          ]}
          value={isSome ? 'some' : 'all'}
        />
        {isSome && (
          <Suspense fallback={<Skeleton height={60} />}>
            <DateRangePicker label={t.fromUntil} onChange={setDays} value={chosen} />
          </Suspense>
        )}
      </div>
    </ExportFile>
  );
}

function openExport(
  kind: ExportKind,
  team: string | undefined,
  days: DateSpan | null,
  format: ExportFormat,
  signal: AbortSignal,
) {
  const {from, until} = days ?? {};
  const teams = team === undefined ? undefined : [team];
  if (kind === 'standups')
    return readStream('/v1/export', {format, team: teams, date_from: from, date_to: until}, signal);
  if (kind === 'absences') return readStream('/v1/export/absences', {format, team, from, until}, signal);
  return readStream('/v1/export/participation', {format, team: team ?? '', since: from, until}, signal);
}
