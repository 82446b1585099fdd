import {useQuery} from '@tanstack/react-query';
import {words} from '../words/words.ts';
import {ComboBox} from './combo-box.tsx';
import {ProblemNote} from './problem-note.tsx';
import {Skeleton} from './skeleton.tsx';
import {countryOptions, regionOptions, regionsQuery} from './regions.ts';

export interface RegionChoice {
  readonly country: string | null;
  readonly region: string | null;
}

/** Chooses the country and region of a member's public holidays, as in the member's `holidays`. */
export function RegionFields({
  value: {country, region},
  onChange,
}: {
  readonly value: RegionChoice;
  readonly onChange: (choice: RegionChoice) => void;
}) {
  const countries = useQuery(regionsQuery(null));
  const parts = useQuery({...regionsQuery(country), enabled: country !== null});
  const {regions: texts} = words.people;
  const problem = countries.error ?? parts.error;
  return (
    <>
      {countries.data === undefined ? (
        problem === null && <Skeleton lines={2} />
      ) : (
        <ComboBox
          hint={texts.countryHint}
          label={texts.country}
          name="holidays/country"
          onChange={(chosen) => chosen !== country && onChange({country: chosen, region: null})}
          options={countryOptions(countries.data, country)}
          placeholder={texts.noCountry}
          value={country}
        />
      )}
      {parts.data !== undefined && (parts.data.length > 0 || region !== null) && (
        <ComboBox
          isOptional
          key={country}
          label={texts.region}
          name="holidays/region"
          onChange={(chosen) => onChange({country, region: chosen})}
          options={regionOptions(parts.data, region)}
          placeholder={texts.wholeCountry}
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
