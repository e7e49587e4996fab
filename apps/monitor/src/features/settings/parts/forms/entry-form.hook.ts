import { useForm, type FormRulesRecord, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { useSave } from './save.hook';

interface Given<Values> {
  /** What is saved. */
  values: Values;
  validate?: FormRulesRecord<Values>;
  toField?: (path: string) => string;
  /** By which a change of what is saved is known, where the values themselves tell more. */
  known?: string;
}

/** A form of an entry, how it is saved, and `settle`, which takes what was saved as the new ground. */
export function useEntryForm<Values extends object>({
  values,
  validate,
  toField,
  known = JSON.stringify(values),
}: Given<Values>): {
  form: UseFormReturnType<Values>;
  settle: (saved: Values) => void;
} & ReturnType<typeof useSave<Values>> {
  const form = useForm<Values>({ initialValues: values, validate });
  const saving = useSave(form, toField);
  const settle = (saved: Values): void => {
    form.setInitialValues(saved);
    form.setValues(saved);
    form.resetDirty(saved);
    form.clearErrors();
  };
  // What others have saved meanwhile is shown where nothing is being changed here.
  const shown = useRef(known);
  useEffect(() => {
    if (form.isDirty() || shown.current === known) return;
    shown.current = known;
    settle(values);
  });
  return { form, settle, ...saving };
}
