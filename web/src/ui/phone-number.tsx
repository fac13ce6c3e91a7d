import './phone-number.css'

/** Shows a number in two groups of five, by style only: the text is the ten digits. */
export function PhoneNumber({ phone }: { phone: string }) {
  return (
    <span className="phone-number">
      <span>{phone.slice(0, 5)}</span>
      {phone.slice(5)}
    </span>
  )
}
