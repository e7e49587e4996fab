/** Customers of the demo and the last thing each of them, or the agent, said. */
export interface DemoCustomer {
  name: string;
  said: string;
  /** The answer, if there was one. Without it the customer's message waits. */
  answered?: string;
}

export const CUSTOMERS: DemoCustomer[] = [
  { name: 'Айгерим', said: 'Здравствуйте! Сколько стоит кофемашина?' },
  { name: 'Данияр', said: 'Есть доставка в Караганду?', answered: 'Да, два–три дня.' },
  { name: 'Мария', said: 'Спасибо, подумаю', answered: 'Буду на связи.' },
  { name: 'Олег', said: 'Можно счёт на ИП?' },
  { name: 'Зарина', said: 'Оплатила, вот чек', answered: 'Получили, спасибо!' },
  { name: 'Тимур', said: 'Когда приедет мастер?' },
  { name: 'Елена', said: 'Какие есть цвета?', answered: 'Чёрный, серый и красный.' },
  { name: 'Руслан', said: 'А рассрочка есть?', answered: 'До двенадцати месяцев.' },
  { name: 'Асель', said: 'Пришлите каталог', answered: 'Отправили на почту.' },
  { name: 'Никита', said: 'Дорого', answered: 'Есть модель попроще, показать?' },
];
