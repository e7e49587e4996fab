import { ApiError } from '@app/client/api.errors';
import { type UseFormReturnType, useForm, type FormRulesRecord } from '@mantine/form';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { dismiss, tellDone, tellError, tellFailed } from '../../../../shared/notices/notice.store';
import { confirmed, NotConfirmedError } from '../../../../shared/ui/confirmation.store';
import { commonWords } from '../../../../shared/words/common.words';
import { presentLanguage } from '../../../../shared/words/language.store';
import { settingsWords } from '../../settings.words';
import { fieldErrors } from '../../../../shared/format/field-errors.format';

interface Acting {
  isBusy: boolean;
  /**
   * Does it, and tells that it is done or why it failed.
   * @returns the answer; null where it failed.
   */
  act: <Result>(
    call: () => Promise<Result>,
    done?: string | ((result: Result) => string),
  ) => Promise<Result | null>;
}

/** For what a button does at once, other than saving a form. */
export function useAct(): Acting {
  const [isBusy, setBusy] = useState(false);
  /** The notice of the last try. The next one tells its own. */
  const failure = useRef<number | null>(null);
  const act: Acting['act'] = async (call, done) => {
    setBusy(true);
    if (failure.current !== null) dismiss(failure.current);
    failure.current = null;
    try {
      const result = await call();
      if (done !== undefined) tellDone(typeof done === 'string' ? done : done(result));
      return result;
    } catch (error) {
      if (!(error instanceof NotConfirmedError)) failure.current = tellError(error);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, act };
}

interface Saving {
  isBusy: boolean;
  /** Of the `<form>`, in which the first wrong field gets the focus. */
  formRef: RefObject<HTMLFormElement | null>;
  /**
   * Saves, and tells that it is done or why it failed. Violations go to their fields.
   * @returns the answer; null where it failed.
   */
  save: <Result>(call: () => Promise<Result>, done?: string) => Promise<Result | null>;
}

/**
 * Saves what is in a form. Where the server wants the password again, it is asked for.
 * @param toField where the form has another name for what the server's path names
 */
export function useSave<Values>(
  form: UseFormReturnType<Values>,
  toField: (path: string) => string = (path) => path,
): Saving {
  const [isBusy, setBusy] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  /** The notice of the last try. The next one tells its own. */
  const failure = useRef<number | null>(null);
  useErrorsInLanguage(form);

  const showErrors = (error: unknown): void => {
    const found = fieldErrors(error);
    if (found === null) {
      failure.current = tellError(error);
      return;
    }
    const fields = Object.entries(found).map(([path, message]) => [toField(path), message] as const);
    form.setErrors(Object.fromEntries(fields));
    const known = Object.keys(form.getValues() as object);
    const others = fields.filter(([path]) => !known.includes(path.split('.')[0] ?? ''));
    failure.current = tellFailed(settingsWords.say('someFieldsWrong'), {
      detail: others.map(([path, message]) => `${path}: ${message}`).join('; ') || undefined,
      requestId: error instanceof ApiError ? error.requestId : null,
    });
    focusFirstError(formRef.current);
  };

  const save: Saving['save'] = async (call, done = commonWords.say('saved')) => {
    setBusy(true);
    if (failure.current !== null) dismiss(failure.current);
    failure.current = null;
    try {
      const result = await confirmed(call);
      tellDone(done);
      return result;
    } catch (error) {
      if (!(error instanceof NotConfirmedError)) showErrors(error);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, formRef, save };
}

/** What is wrong with fields is said anew when the language changes. What the server has said stays as it is. */
function useErrorsInLanguage<Values>(form: UseFormReturnType<Values>): void {
  // Drawn anew at each change.
  settingsWords.use();
  const language = presentLanguage();
  useEffect(() => {
    const said = Object.entries(form.errors);
    if (said.length === 0) return;
    void Promise.resolve(form.validate()).then(({ errors }) =>
      form.setErrors(Object.fromEntries(said.map(([path, words]) => [path, errors[path] ?? words]))),
    );
  }, [language]);
}

/** Once the errors are drawn. */
export function focusFirstError(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

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
