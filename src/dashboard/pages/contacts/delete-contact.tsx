import type { JSX } from 'preact';
import { type Contact, type Deletion, deleteContact, exportAddress, titleOf } from '../../api/contacts.js';
import { DeletePanel } from '../../parts/delete-panel.js';

/** Deletes the contact, once its name or number is written out. */
export function DeleteContact({
  contact,
  onDeleted,
}: {
  contact: Contact;
  onDeleted: (deletion: Deletion) => void;
}): JSX.Element {
  const title = titleOf(contact);
  return (
    <DeletePanel
      what="contact"
      note="For a request for erasure: deletes the contact with its memories, takes it out of call records and deletes their SIP traces. Times and quality figures stay. Upcoming calls to it are cancelled."
      remove={() => deleteContact(contact.id).then(onDeleted)}
      written={{
        text: title,
        request: (
          <>
            Write <strong>{title}</strong> to delete it for good. It cannot be undone;{' '}
            <a href={exportAddress(contact.id)} download="contact.json">
              export its data
            </a>{' '}
            first if you need them.
          </>
        ),
      }}
    />
  );
}
