import {Radio, RadioGroup} from 'react-aria-components';
import {FieldLabel, FieldNotes, type FieldTexts, buildValidationProps} from '../parts/field.tsx';
import {texts} from '../texts/texts.ts';
import styles from './mood-field.module.css';

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
          <Radio className={styles['mood'] ?? ''} key={mouth} value={String(index + 1)}>
            <svg aria-hidden="true" height="28" viewBox="0 0 24 24" width="28">
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
