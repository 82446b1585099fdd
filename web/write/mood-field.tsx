import {Radio, RadioGroup} from 'react-aria-components';
import {FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from '../parts/field.tsx';
import {texts} from '../texts/texts.ts';

/** SVG paths of mouths, from very bad to very good. */
const mouths = [
  'M8 17c1-2.6 7-2.6 8 0',
  'M8.5 16.3c1.2-1.4 5.8-1.4 7 0',
  'M8.5 15.7h7',
  'M8.5 15c1.2 1.6 5.8 1.6 7 0',
  'M8 14.2c.8 3.9 7.2 3.9 8 0z',
];

interface MoodFieldProps extends FieldTexts {
  readonly value: number | null;
  readonly onChange: (mood: number) => void;
}

export function MoodField({label, hint, error, isOptional, value, onChange}: MoodFieldProps) {
  return (
    <RadioGroup
      {...buildValidationProps(error)}
      className="group grid min-w-0 gap-1"
      onChange={(mood) => onChange(Number(mood))}
      orientation="horizontal"
      value={value === null ? null : String(value)}
    >
      <FieldLabel {...{label, isOptional}} />
      <div className="grid grid-cols-5 overflow-hidden rounded-lg border border-edge group-data-invalid:border-missed">
        {mouths.map((mouth, index) => (
          <Radio
            className="grid min-w-0 cursor-pointer content-start justify-items-center gap-1 px-0.5 py-2 text-center text-xs/4 text-quiet transition-[background-color] not-first:border-s not-first:border-line data-focus-visible:outline-3 data-focus-visible:-outline-offset-3 data-focus-visible:outline-focus data-hovered:text-ink data-hovered:not-data-selected:bg-inset data-selected:bg-[color-mix(in_srgb,var(--color-card),var(--color-accent)_12%)] data-selected:font-semibold data-selected:text-ink data-selected:inset-shadow-[0_-3px_var(--color-accent)] data-selected:*:[svg]:text-accent forced-colors:data-selected:outline-2 forced-colors:data-selected:-outline-offset-4 forced-colors:data-selected:outline-[Highlight]"
            key={mouth}
            value={String(index + 1)}
          >
            <svg
              aria-hidden="true"
              className="fill-none stroke-current stroke-[1.6] [stroke-linecap:round] [stroke-linejoin:round]"
              height="28"
              viewBox="0 0 24 24"
              width="28"
            >
              <circle cx="12" cy="12" r="9.25" />
              <path d="M9 9.4v.6M15 9.4v.6" />
              <path d={mouth} />
            </svg>
            <span>{texts.write.moods[index]}</span>
          </Radio>
        ))}
      </div>
      <FieldNotes error={error} hint={hint} />
    </RadioGroup>
  );
}
