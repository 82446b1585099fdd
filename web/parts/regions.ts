import {queryOptions} from '@tanstack/react-query';
import {readRows} from '../api/read.ts';
import {locale} from '../texts/texts.ts';
import type {Option} from './option.tsx';

/** Maximum number of pages: there are about 200 countries, each with at most about 50 regions. */
const mostPages = 5;

/** Lists the countries that have public holidays, or a country's regions with their own holidays. */
export const regionsQuery = (country: string | null) =>
  queryOptions({
    queryKey: ['listHolidayRegions', {country}],
    queryFn: async ({signal}) => {
      const given = {limit: 100, country: country ?? undefined};
      return (await readRows('/v1/holiday-regions', given, signal, {mostPages})).rows;
    },
  });

/** Country options by name. The chosen country is an option even before the list is loaded. */
export function listCountryOptions(
  rows: readonly {readonly country: string; readonly name: string}[],
  chosen: string | null,
): Option[] {
  const known = rows.map(({country, name}) => ({id: country, label: findCountryName(country, name)}));
  return includeChosenOption(known, chosen, findCountryName).toSorted((a, b) =>
    a.label.localeCompare(b.label, locale),
  );
}

export function listRegionOptions(
  rows: readonly {readonly region: string | null; readonly name: string}[],
  chosen: string | null,
): Option[] {
  const known = rows.flatMap(({region, name}) => (region === null ? [] : [{id: region, label: name}]));
  return includeChosenOption(known, chosen, (code) => code);
}

function includeChosenOption(
  known: Option[],
  chosen: string | null,
  nameOf: (code: string) => string,
): Option[] {
  if (chosen === null || known.some(({id}) => id === chosen)) return known;
  return [{id: chosen, label: nameOf(chosen)}, ...known];
}

export function findCountryName(code: string, name = code): string {
  return new Intl.DisplayNames(locale, {type: 'region', fallback: 'none'}).of(code) ?? name;
}
