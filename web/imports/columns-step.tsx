import {useQuery} from '@tanstack/react-query';
import {useEffect, useMemo, useRef, useState} from 'react';
import {type ColumnsError, findColumnsErrors} from '../../packages/import-files/src/columns.js';
import {mapFileInSteps} from '../../packages/import-files/src/map-rows.js';
import type {FileTable} from '../../packages/import-files/src/read-csv.js';
import {Button} from '../parts/button.tsx';
import {Form} from '../parts/form.tsx';
import {Select} from '../parts/select.tsx';
import {texts} from '../texts/texts.ts';
import {columnMeanings, findUnclearDates, isSource, listExamples} from './columns.ts';
import {showFileText} from './file-text.ts';
import {runInSlices} from './in-slices.ts';
import {everyTeamQuery} from './queries.ts';
import {changeSettings, type ImportSetup, importSetup} from './setup.ts';
import {SourceField} from './source-field.tsx';
import {Remark, Step} from './step.tsx';

const noTeam = '*';

export function ColumnsStep({setup}: {readonly setup: ImportSetup}) {
  return 'table' in setup.file ? <MapColumns setup={setup} table={setup.file.table} /> : null;
}

function MapColumns({
  setup: {file, settings},
  table,
}: {
  readonly setup: ImportSetup;
  readonly table: FileTable;
}) {
  const {columns: t} = texts.imports;
  const {columns, team, dateOrder, twoDigitYears, source} = settings;
  const {data: teams = []} = useQuery(everyTeamQuery);
  const [isMapping, setMapping] = useState(false);
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const unclear = useMemo(() => findUnclearDates(table, columns), [table, columns]);
  const errors = findColumnsErrors(columns, team);
  const isReady =
    errors.length === 0 && isSource(source) && (unclear === undefined || dateOrder !== undefined);

  const proceed = async (): Promise<void> => {
    if (!isReady || isMapping) return;
    setMapping(true);
    const own = new AbortController();
    ending.current = own;
    // A choice that was made for other columns decides about nothing.
    const order = unclear === undefined ? undefined : dateOrder;
    try {
      const steps = mapFileInSteps(table, {columns, team, dateOrder: order, twoDigitYears});
      importSetup.set({file, settings, mapped: await runInSlices(steps, own.signal)});
    } catch (error) {
      if (!own.signal.aborted) throw error;
    }
  };

  return (
    <Step title={t.title}>
      <Form onSubmit={() => void proceed()}>
        <p className="[overflow-wrap:anywhere]" dir="auto">
          {t.text({name: file.name, rows: table.records.length})}
        </p>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] items-start gap-x-4 gap-y-3">
          {table.header.map((name, column) => (
            <Select
              hint={describeExamples(listExamples(table, column))}
              // A file may have two columns of one name.
              key={`${column} ${name}`}
              label={name === '' ? t.noName({position: column + 1}) : showFileText(name)}
              onChange={(meaning) =>
                changeSettings({columns: columns.with(column, meaning === 'none' ? null : meaning)})
              }
              options={columnMeanings.map((id) => ({id, label: t.fields[id]}))}
              value={columns[column] ?? 'none'}
            />
          ))}
        </div>
        <div className="grid max-w-120 gap-4">
          {!columns.includes('team') && (
            <Select
              label={t.teamOfAll}
              onChange={(slug) => changeSettings({team: slug === noTeam ? undefined : slug})}
              options={[
                {id: noTeam, label: t.noTeam},
                ...teams.map(({slug, name}) => ({id: slug, label: name})),
              ]}
              value={team ?? noTeam}
            />
          )}
          {unclear !== undefined && (
            <Select
              hint={unclear.isMixed ? t.mixed : t.orderHint}
              label={t.order({example: unclear.example})}
              onChange={(order) => changeSettings({dateOrder: order})}
              options={[
                {id: 'day-first', label: t.dayFirst},
                {id: 'month-first', label: t.monthFirst},
              ]}
              value={dateOrder ?? null}
            />
          )}
          <label className="flex min-h-row items-center gap-2">
            <input
              checked={twoDigitYears}
              className="size-4.5 flex-none accent-accent"
              onChange={({target}) => changeSettings({twoDigitYears: target.checked})}
              type="checkbox"
            />
            {t.years}
          </label>
          <SourceField source={source} />
        </div>
        <div role="status">
          {errors.length > 0 && (
            <Remark isDanger>
              <ul>
                {errors.map((error) => (
                  <li key={JSON.stringify(error)}>{describeError(error)}</li>
                ))}
              </ul>
            </Remark>
          )}
        </div>
        <div className="flex flex-wrap gap-3">
          <Button isDisabled={!isReady} isPending={isMapping} kind="first" type="submit">
            {t.next}
          </Button>
          <Button onPress={() => importSetup.set(undefined)}>{texts.imports.file.other}</Button>
        </div>
      </Form>
    </Step>
  );
}

function describeExamples(examples: readonly string[]): string {
  const {columns: t} = texts.imports;
  return examples.length === 0 ? t.noExamples : t.examples({examples: showFileText(examples.join(' · '))});
}

function describeError(error: ColumnsError): string {
  const {columns: t} = texts.imports;
  return 'missing' in error ? t.missing[error.missing] : t.twice({field: t.fields[error.twice]});
}
