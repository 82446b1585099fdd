import {useQuery} from '@tanstack/react-query';
import {texts} from '../texts/texts.ts';
import {ComboBox} from './combo-box.tsx';
import {ProblemNote} from './problem-note.tsx';
import {Skeleton} from './skeleton.tsx';
import {listCountryOptions, listRegionOptions, regionsQuery} from './regions.ts';

export interface RegionChoice {
  readonly country: string | null;
  readonly region: string | null;
}

export function RegionFields({
  value: {country, region},
  onChange,
}: {
  readonly value: RegionChoice;
  readonly onChange: (choice: RegionChoice) => void;
}) {
  const countries = useQuery(regionsQuery(null));
  const parts = useQuery({...regionsQuery(country), enabled: country !== null});
  const {regions: t} = texts.people;
  const problem = countries.error ?? parts.error;
  return (
    <>
      {countries.data === undefined ? (
        problem === null && <Skeleton lines={2} />
      ) : (
        <ComboBox
          hint={t.countryHint}
          label={t.country}
          name="holidays/country"
          onChange={(chosen) => chosen !== country && onChange({country: chosen, region: null})}
          options={listCountryOptions(countries.data, country)}
          placeholder={t.noCountry}
          value={country}
        />
      )}
      {parts.data !== undefined && (parts.data.length > 0 || region !== null) && (
        <ComboBox
          isOptional
          key={country}
          label={t.region}
          name="holidays/region"
          onChange={(chosen) => onChange({country, region: chosen})}
          options={listRegionOptions(parts.data, region)}
          placeholder={t.wholeCountry}
          value={region}
        />
      )}
      {problem !== null && (
        <ProblemNote
          onRetry={() => {
            void countries.refetch();
            if (country !== null) void parts.refetch();
          }}
          problem={problem}
        />
      )}
    </>
  );
}
