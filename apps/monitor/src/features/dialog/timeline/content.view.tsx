import {
  coordinates,
  valueText,
  type ContactsContent,
  type FormContent,
  type LocationContent,
  type MessageContent,
  type OrderContent,
  type Referral,
  type SharedContact,
} from '@app/contracts/message-content';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from './message.module.css';
import { timelineWords } from './timeline.words';

/** What a message has besides its text. Everything is text: nothing is asked of a foreign address before it is clicked. */
export function Content({ content }: { content: MessageContent }) {
  const t = timelineWords.use();
  switch (content.type) {
    case 'location':
      return <Place place={content} />;
    case 'contacts':
      return <Contacts contacts={content.contacts} />;
    case 'order':
      return <Order order={content} />;
    case 'choice':
      return content.description === null ? null : <Dimmed text={content.description} />;
    case 'form':
      return <Form form={content} />;
    case 'reaction':
      return null;
    case 'call':
      return <div className={classes.head}>{t('missedCall')}</div>;
    case 'unsupported': {
      const type = content.details ?? content.title ?? t('kind_unsupported');
      return <div className={classes.odd}>{t('unsupported', { type })}</div>;
    }
  }
}

/** The ad or the post by which the customer came. */
export function AdOrPost({ referral }: { referral: Referral }) {
  const t = timelineWords.use();
  const { headline, body, source_url: url } = referral;
  return (
    <div className={classes.quote} data-content="referral">
      <div className={classes.head}>{t(referral.source_type === 'post' ? 'cameByPost' : 'cameByAd')}</div>
      {headline !== null && <CustomerText component="div" text={headline} />}
      {body !== null && <Dimmed text={body} />}
      {url !== null && isWebAddress(url) && <Link href={url} text={url} />}
    </div>
  );
}

function Place({ place }: { place: LocationContent }) {
  const t = timelineWords.use();
  const { latitude, longitude, name, address } = place;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <div className={classes.content} data-content="location">
      {name !== null && <CustomerText component="div" text={name} />}
      {address !== null && <Dimmed text={address} />}
      <Link href={map} text={t('onMap', { place: coordinates(place) })} />
    </div>
  );
}

function Contacts({ contacts }: Pick<ContactsContent, 'contacts'>) {
  return (
    <ul className={classes.content} data-content="contacts">
      {contacts.map((contact, index) => (
        // Contacts of one message never change their places.
        <li key={index}>
          <ContactLines contact={contact} />
        </li>
      ))}
    </ul>
  );
}

function ContactLines({ contact: { name, organization, phones, emails } }: { contact: SharedContact }) {
  const t = timelineWords.use();
  const isEmpty = name === null && organization === null && phones.length === 0 && emails.length === 0;
  if (isEmpty) return <span className={classes.odd}>{t('emptyContact')}</span>;
  return (
    <>
      {name !== null && <CustomerText component="div" text={name} />}
      {organization !== null && <Dimmed text={organization} />}
      {phones.map(({ phone, label }, index) => (
        <div key={index}>
          <CustomerText text={phone} isPhone />
          {label !== null && <CustomerText className={classes.dimmed} text={` ${label}`} />}
        </div>
      ))}
      {emails.map((email, index) => (
        <CustomerText key={index} component="div" text={email} />
      ))}
    </>
  );
}

function Order({ order: { items } }: { order: OrderContent }) {
  const t = timelineWords.use();
  return (
    <div className={classes.content} data-content="order">
      <div className={classes.head}>{t('order')}</div>
      <ul>
        {items.map(({ product_id, quantity, price, currency }, index) => (
          <li key={index}>
            <CustomerText text={`${quantity ?? 1} × ${product_id ?? '?'}`} />
            {price !== null && (
              <CustomerText
                className={classes.dimmed}
                text={` ${[price, currency].filter(Boolean).join(' ')}`}
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Form({ form: { response } }: { form: FormContent }) {
  const t = timelineWords.use();
  if (response === null) return <div className={classes.odd}>{t('formUnreadable')}</div>;
  return (
    <div className={classes.content} data-content="form">
      <div className={classes.head}>{t('form')}</div>
      <dl>
        {Object.entries(response).map(([field, value]) => (
          <div key={field}>
            <CustomerText component="dt" className={classes.dimmed} text={field} />
            <CustomerText component="dd" text={valueText(value)} />
          </div>
        ))}
      </dl>
    </div>
  );
}

const Dimmed = ({ text }: { text: string }) => (
  <CustomerText component="div" className={classes.dimmed} text={text} />
);

const Link = ({ href, text }: { href: string; text: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
    {text}
  </a>
);

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);
