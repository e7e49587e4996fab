import { demoId } from '@app/contracts/demo-ids';
import type { StageKind } from '@app/contracts/stage.words';

export interface DemoStage {
  id: string;
  name: string;
  kind: StageKind;
  description: string | null;
  aiEnabled?: false;
  locked?: true;
}

const stage = (n: number, name: string, kind: StageKind, description: string | null = null): DemoStage => ({
  id: demoId('status', n),
  name,
  kind,
  description,
});

/** Where a paid order goes next. */
export const PACKING = stage(11, 'Собираем заказ', 'active', 'Оплачен; склад собирает.');

/**
 * The funnel with every special stage: two names that differ by case only, a muting one, a locked one, every kind.
 */
export const SALES_FUNNEL: DemoStage[] = [
  stage(1, 'Новая заявка', 'active', 'Клиент написал впервые.'),
  stage(2, 'В работе', 'active', 'Клиент рассказал, что ему нужно.'),
  stage(3, 'Квалифицирован', 'qualified', 'Бюджет и срок известны.'),
  stage(4, 'Ожидает оплаты', 'awaiting_payment', 'Счёт выставлен.'),
  stage(5, 'Оплачено', 'success', 'Деньги пришли.'),
  PACKING,
  stage(6, 'Отказ', 'failure'),
  stage(7, 'Перезвонить', 'active'),
  stage(8, 'ПЕРЕЗВОНИТЬ', 'active', 'Осталось от прежней воронки; имя отличается только регистром.'),
  { ...stage(9, 'Разговор с менеджером', 'active', 'Здесь агент молчит.'), aiEnabled: false },
  { ...stage(10, 'На проверке', 'qualified', 'Отсюда агент лида не уводит.'), locked: true },
];

export const SERVICE_FUNNEL: DemoStage[] = [
  stage(21, 'New request', 'active'),
  stage(22, 'In progress', 'qualified'),
  stage(23, 'Solved', 'success'),
];

export const CLINIC_FUNNEL: DemoStage[] = [
  stage(31, 'New patient', 'active'),
  stage(32, 'Booked', 'qualified'),
  stage(33, 'Invoice sent', 'awaiting_payment'),
  stage(34, 'Paid', 'success'),
  stage(35, 'Lost', 'failure'),
];

/** The phone of the customer of the nth seeded dialog. */
export const phoneOfDialog = (n: number): string => `+7701555${String(1000 + n)}`;

/** Which of its bot's numbers the nth seeded dialog is on: a fifth are on the last one. */
export const placeOfNumber = (n: number, numbers: number): number => (n % 5 === 0 ? numbers - 1 : 0);
