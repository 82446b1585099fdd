import {CheckboxButton, CheckboxField, CheckboxGroup, FieldError, Label} from 'react-aria-components';
import {buildValidationProps} from '../parts/field.tsx';
import {Icon} from '../parts/icon.tsx';
import {texts} from '../texts/texts.ts';
import styles from './write.module.css';

export interface TeamOption {
  readonly slug: string;
  readonly name: string;
  /** Reason why this team cannot be chosen together with the teams that are chosen already. */
  readonly hindrance?: string | undefined;
}

/** Field that chooses the teams of a standup; at least one is always chosen. */
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
      className={styles['group'] ?? ''}
      onChange={(all) => all.length > 0 && onChange(all)}
      value={[...chosen]}
    >
      <Label className={styles['label'] ?? ''}>{texts.write.teams}</Label>
      <div className={styles['teams']}>
        {teams.map(({slug, name, hindrance}) => (
          <CheckboxField isDisabled={hindrance !== undefined} key={slug} value={slug}>
            <CheckboxButton className={styles['team'] ?? ''}>
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
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
      {[...new Set(teams.flatMap(({hindrance}) => hindrance ?? []))].map((hindrance) => (
        <p className={`${styles['quiet']} ${styles['small']}`} key={hindrance}>
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
