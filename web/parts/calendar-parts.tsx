import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
} from 'react-aria-components';
import styles from './date.module.css';
import fieldStyles from './field.module.css';
import {Icon} from './icon.tsx';

export function CalendarHead() {
  return (
    <div className={styles['head']}>
      <Button className={fieldStyles['inner'] ?? ''} slot="previous">
        <Icon name="chevron-left" size={16} />
      </Button>
      <Heading className={styles['month'] ?? ''} />
      <Button className={fieldStyles['inner'] ?? ''} slot="next">
        <Icon name="chevron-right" size={16} />
      </Button>
    </div>
  );
}

export function CalendarBody() {
  return (
    <CalendarGrid className={styles['grid'] ?? ''} weekdayStyle="short">
      <CalendarGridHeader>
        {(day) => <CalendarHeaderCell className={styles['weekday'] ?? ''}>{day}</CalendarHeaderCell>}
      </CalendarGridHeader>
      <CalendarGridBody>
        {(date) => <CalendarCell className={styles['day'] ?? ''} date={date} />}
      </CalendarGridBody>
    </CalendarGrid>
  );
}
