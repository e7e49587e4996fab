import {
  Checkbox,
  Fieldset,
  NativeSelect,
  NumberInput,
  Radio,
  Stack,
  Text,
  Textarea,
  TextInput,
  FileInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { uploadFile } from '../../../shared/api/upload-call';
import { templatePartWords } from '../../../shared/template/template-part.words';
import { explain } from '../../../shared/words/error.words';
import {
  BODY_MAX,
  isFile,
  lengthOf,
  MINUTES_MAX,
  SHORT_MAX,
  variablesOf,
  type TemplateForm,
} from './template.rules';
import { TemplateButtons } from './template-buttons.view';
import { templateWords } from './template.words';

/** What Meta takes as a sample. */
const TYPES = { image: 'image/jpeg,image/png', video: 'video/mp4', document: 'application/pdf' } as const;

interface SampleFileProps {
  form: UseFormReturnType<TemplateForm>;
  format: keyof typeof TYPES;
}

/** The file by which WhatsApp judges a header: uploaded here, or at Gupshup named by its handle. */
function SampleFile({ form, format }: SampleFileProps) {
  const t = templateWords.use();
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const { number, headerMediaId } = form.getValues();
  if (number.endsWith(' waba'))
    return <TextInput label={t('headerHandle')} {...form.getInputProps('headerExample')} />;
  const choose = async (chosen: File | null): Promise<void> => {
    setFile(chosen);
    form.setFieldValue('headerMediaId', '');
    form.clearFieldError('headerExample');
    if (!chosen) return;
    setShare(0);
    try {
      const { id } = await uploadFile(chosen, setShare).done;
      form.setFieldValue('headerMediaId', id);
      form.setFieldValue('headerExample', '');
    } catch (error) {
      setFile(null);
      form.setFieldError('headerExample', explain(error));
    } finally {
      setShare(null);
    }
  };
  return (
    <FileInput
      label={t('sampleFile')}
      description={
        share === null ? t('sampleFileHint') : t('sampleUploading', { share: Math.round(share * 100) })
      }
      placeholder={headerMediaId === '' ? t('sampleNone') : t('sampleKept')}
      accept={TYPES[format]}
      clearable
      disabled={share !== null}
      value={file}
      error={form.errors.headerExample}
      onChange={(chosen) => void choose(chosen)}
    />
  );
}

const CATEGORIES = ['utility', 'marketing', 'authentication'] as const;
const HEADERS = ['none', 'text', 'image', 'video', 'document', 'location'] as const;
const BRACES = { open: '{{', close: '}}' };

interface Props {
  form: UseFormReturnType<TemplateForm>;
  /** Name, language and so on cannot be changed once there is a draft. */
  isNew: boolean;
  numbers: readonly { value: string; label: string }[];
}

/** All that a template is made of. */
export function TemplateFields({ form, isNew, numbers }: Props) {
  const t = templateWords.use();
  const ofTemplates = templatePartWords.use();
  const { category } = form.getValues();
  const isCode = category === 'authentication';
  // A template of codes has its own form, which no other becomes.
  const categories = CATEGORIES.filter((value) => isNew || (value === 'authentication') === isCode);
  return (
    <Stack gap="md">
      {isNew && <Identity form={form} numbers={numbers} />}
      <NativeSelect
        label={t('category')}
        data={categories.map((value) => ({ value, label: ofTemplates(`category_${value}`) }))}
        {...form.getInputProps('category')}
      />
      {isCode ? <Code form={form} /> : <Words form={form} />}
    </Stack>
  );
}

/** WhatsApp writes the words of a template of codes. */
function Code({ form }: Pick<Props, 'form'>) {
  const t = templateWords.use();
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('codeHint')}
      </Text>
      <Checkbox
        label={t('codeAdvice')}
        {...form.getInputProps('addSecurityRecommendation', { type: 'checkbox' })}
      />
      <NumberInput
        label={t('codeMinutes')}
        description={t('codeMinutesHint', { most: MINUTES_MAX })}
        allowDecimal={false}
        {...form.getInputProps('codeExpirationMinutes')}
      />
      <TextInput
        label={t('codeLabel')}
        description={t('codeLabelHint')}
        {...form.getInputProps('codeLabel')}
      />
    </>
  );
}

function Words({ form }: Pick<Props, 'form'>) {
  const t = templateWords.use();
  const { body, footer, parameterFormat } = form.getValues();
  const names = variablesOf(body, parameterFormat);
  const sample = parameterFormat === 'named' ? '{{first_name}}' : '{{1}}, {{2}}';
  return (
    <>
      <Header form={form} />
      <Textarea
        label={t('body')}
        description={t('bodyHint', { sample })}
        required
        autosize
        minRows={4}
        maxRows={16}
        {...form.getInputProps('body')}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
      />
      <Text size="xs" c="dimmed">
        {t('count', { length: lengthOf(body), most: BODY_MAX })}
      </Text>
      {names.length > 0 && (
        <Fieldset legend={t('examples')}>
          <Text size="sm" c="dimmed">
            {t('examplesHint')}
          </Text>
          <Stack gap="xs">
            {names.map((name) => (
              <TextInput
                key={name}
                label={t('example', { ...BRACES, name })}
                required
                {...form.getInputProps(`bodyExamples.${name}`)}
                value={form.getValues().bodyExamples[name] ?? ''}
              />
            ))}
          </Stack>
        </Fieldset>
      )}
      <TextInput
        label={t('footer')}
        description={t('count', { length: lengthOf(footer), most: SHORT_MAX })}
        {...form.getInputProps('footer')}
      />
      <TemplateButtons form={form} />
    </>
  );
}

function Identity({ form, numbers }: Pick<Props, 'form' | 'numbers'>) {
  const t = templateWords.use();
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('fixed')}
      </Text>
      <NativeSelect label={t('number')} required data={[...numbers]} {...form.getInputProps('number')} />
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        required
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t('templateId')}
        description={t('templateIdHint')}
        autoComplete="off"
        {...form.getInputProps('templateId')}
      />
      <TextInput
        label={t('language')}
        description={t('languageHint')}
        required
        {...form.getInputProps('language')}
      />
      <Radio.Group label={t('variables')} {...form.getInputProps('parameterFormat')}>
        <Stack gap="xs" mt={4}>
          <Radio value="positional" label={t('variables_positional', BRACES)} />
          <Radio value="named" label={t('variables_named', BRACES)} />
        </Stack>
      </Radio.Group>
    </>
  );
}

function Header({ form }: Pick<Props, 'form'>) {
  const t = templateWords.use();
  const { headerFormat, headerText, parameterFormat } = form.getValues();
  const [name] = variablesOf(headerText, parameterFormat);
  return (
    <>
      <NativeSelect
        label={t('header')}
        data={HEADERS.map((value) => ({ value, label: t(`header_${value}`) }))}
        {...form.getInputProps('headerFormat')}
      />
      {headerFormat === 'text' && (
        <TextInput
          label={t('headerText')}
          description={t('count', { length: lengthOf(headerText), most: SHORT_MAX })}
          required
          {...form.getInputProps('headerText')}
        />
      )}
      {headerFormat === 'text' && name !== undefined && (
        <TextInput
          label={t('headerExample', { ...BRACES, name })}
          required
          {...form.getInputProps('headerExample')}
        />
      )}
      {isFile(headerFormat) && <SampleFile form={form} format={headerFormat} />}
    </>
  );
}
