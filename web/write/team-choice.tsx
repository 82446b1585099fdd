import {CheckboxButton, CheckboxField, CheckboxGroup, FieldError, Label} from 'react-aria-components';
import {buildValidationProps} from '../parts/field.tsx';
import {errorClass, labelClass} from '../parts/field-classes.ts';
import {Icon} from '../parts/icon.tsx';
import {texts} from '../texts/texts.ts';

const shape =
  'inline-flex max-w-full min-h-row cursor-pointer items-center gap-1.5 rounded-full border border-edge px-3 py-1 transition-[background-color]';
const chosenFill =
  'data-selected:bg-[color-mix(in_srgb,var(--color-card),var(--color-accent)_12%)] data-selected:*:[svg]:text-accent';
const focus =
  'data-focus-visible:outline-3 data-focus-visible:outline-offset-2 data-focus-visible:outline-focus';
const states = `data-hovered:not-data-selected:bg-inset data-selected:border-accent data-selected:font-semibold data-disabled:cursor-not-allowed data-disabled:border-dashed data-disabled:text-quiet ${chosenFill} ${focus}`;

export interface TeamOption {
  readonly slug: string;
  readonly name: string;
  /** Reason why this team cannot be chosen together with the teams that are chosen already. */
  readonly hindrance?: string | undefined;
}

export function TeamChoice({
  teams,
  chosen,
  error,
  onChange,
}: {
  readonly teams: readonly TeamOption[];
  readonly chosen: readonly string[];
  readonly error?: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  return (
    <CheckboxGroup
      {...buildValidationProps(error)}
      className="grid gap-1.5"
      onChange={(all) => all.length > 0 && onChange(all)}
      value={[...chosen]}
    >
      <Label className={labelClass}>{texts.write.teams}</Label>
      <div className="flex flex-wrap gap-2">
        {teams.map(({slug, name, hindrance}) => (
          <CheckboxField isDisabled={hindrance !== undefined} key={slug} value={slug}>
            <CheckboxButton className={`${shape} ${states}`}>
              {({isSelected}) => (
                <>
                  {isSelected && <Icon name="check" size={16} />}
                  <bdi>{name}</bdi>
                </>
              )}
            </CheckboxButton>
          </CheckboxField>
        ))}
      </div>
      <FieldError className={errorClass}>{error}</FieldError>
      {[...new Set(teams.flatMap(({hindrance}) => hindrance ?? []))].map((hindrance) => (
        <p className="text-xs text-quiet" key={hindrance}>
          {teams
            .filter((one) => one.hindrance === hindrance)
            .map(({name}) => name)
            .join(', ')}
          : {hindrance}
        </p>
      ))}
    </CheckboxGroup>
  );
}
