/**
 * A store in the form of τ²-bench retail's database, small enough to be understood at a glance: two customers, two products, five
 * orders. As text, because objects would not keep the order of the variants.
 */
export const TINY_RETAIL = `{
  "products": {
    "9000000001": { "name": "Mug", "product_id": "9000000001", "variants": {
      "9000000011": { "item_id": "9000000011", "options": { "color": "red", "size": "S" }, "available": true, "price": 10.1 },
      "1000000012": { "item_id": "1000000012", "options": { "color": "blue", "size": "S" }, "available": true, "price": 12 },
      "5000000013": { "item_id": "5000000013", "options": { "color": "blue", "size": "L" }, "available": true, "price": 15.3 },
      "1000000014": { "item_id": "1000000014", "options": { "color": "red", "size": "L" }, "available": false, "price": 14.2 }
    } },
    "1000000002": { "name": "Lamp", "product_id": "1000000002", "variants": {
      "1000000021": { "item_id": "1000000021", "options": { "light": "warm" }, "available": true, "price": 80.05 },
      "1000000022": { "item_id": "1000000022", "options": { "light": "cold" }, "available": true, "price": 75.4 }
    } }
  },
  "users": {
    "ann_lee_1": {
      "user_id": "ann_lee_1", "name": { "first_name": "Ann", "last_name": "Lee" },
      "address": { "address1": "1 Elm Street", "address2": "", "city": "Zürich", "country": "USA", "state": "NY", "zip": "10001" },
      "email": "ann.lee@example.com",
      "payment_methods": {
        "gift_card_1": { "source": "gift_card", "id": "gift_card_1", "balance": 100 },
        "paypal_1": { "source": "paypal", "id": "paypal_1" },
        "credit_card_1": { "source": "credit_card", "id": "credit_card_1", "brand": "visa", "last_four": "0001" }
      },
      "orders": ["#W1", "#W2", "#W3"]
    },
    "bo_kim_2": {
      "user_id": "bo_kim_2", "name": { "first_name": "Bo", "last_name": "Kim" },
      "address": { "address1": "2 Oak Street", "address2": "Suite 2", "city": "Austin", "country": "USA", "state": "TX", "zip": "73301" },
      "email": "bo.kim@example.com",
      "payment_methods": {
        "gift_card_2": { "source": "gift_card", "id": "gift_card_2", "balance": 1.25 },
        "paypal_2": { "source": "paypal", "id": "paypal_2" }
      },
      "orders": ["#W4", "#W5"]
    }
  },
  "orders": {
    "#W1": {
      "order_id": "#W1", "user_id": "ann_lee_1",
      "address": { "address1": "1 Elm Street", "address2": "", "city": "Zürich", "country": "USA", "state": "NY", "zip": "10001" },
      "items": [
        { "name": "Mug", "product_id": "9000000001", "item_id": "9000000011", "price": 10.1, "options": { "color": "red", "size": "S" } },
        { "name": "Mug", "product_id": "9000000001", "item_id": "1000000012", "price": 12, "options": { "color": "blue", "size": "S" } },
        { "name": "Lamp", "product_id": "1000000002", "item_id": "1000000021", "price": 80.05, "options": { "light": "warm" } }
      ],
      "status": "pending", "fulfillments": [],
      "payment_history": [{ "transaction_type": "payment", "amount": 102.15, "payment_method_id": "credit_card_1" }]
    },
    "#W2": {
      "order_id": "#W2", "user_id": "ann_lee_1",
      "address": { "address1": "1 Elm Street", "address2": "", "city": "Zürich", "country": "USA", "state": "NY", "zip": "10001" },
      "items": [
        { "name": "Mug", "product_id": "9000000001", "item_id": "9000000011", "price": 10.1, "options": { "color": "red", "size": "S" } },
        { "name": "Mug", "product_id": "9000000001", "item_id": "9000000011", "price": 10.1, "options": { "color": "red", "size": "S" } }
      ],
      "status": "delivered", "fulfillments": [{ "tracking_id": ["T1"], "item_ids": ["9000000011", "9000000011"] }],
      "payment_history": [{ "transaction_type": "payment", "amount": 20.2, "payment_method_id": "gift_card_1" }]
    },
    "#W3": {
      "order_id": "#W3", "user_id": "ann_lee_1",
      "address": { "address1": "1 Elm Street", "address2": "", "city": "Zürich", "country": "USA", "state": "NY", "zip": "10001" },
      "items": [{ "name": "Lamp", "product_id": "1000000002", "item_id": "1000000022", "price": 75.4, "options": { "light": "cold" } }],
      "status": "pending", "fulfillments": [],
      "payment_history": [{ "transaction_type": "payment", "amount": 75.4, "payment_method_id": "gift_card_1" }]
    },
    "#W4": {
      "order_id": "#W4", "user_id": "bo_kim_2",
      "address": { "address1": "2 Oak Street", "address2": "Suite 2", "city": "Austin", "country": "USA", "state": "TX", "zip": "73301" },
      "items": [
        { "name": "Mug", "product_id": "9000000001", "item_id": "1000000012", "price": 12, "options": { "color": "blue", "size": "S" } },
        { "name": "Mug", "product_id": "9000000001", "item_id": "1000000012", "price": 12, "options": { "color": "blue", "size": "S" } }
      ],
      "status": "pending", "fulfillments": [],
      "payment_history": [{ "transaction_type": "payment", "amount": 24, "payment_method_id": "paypal_2" }]
    },
    "#W5": {
      "order_id": "#W5", "user_id": "bo_kim_2",
      "address": { "address1": "2 Oak Street", "address2": "Suite 2", "city": "Austin", "country": "USA", "state": "TX", "zip": "73301" },
      "items": [{ "name": "Lamp", "product_id": "1000000002", "item_id": "1000000021", "price": 80.05, "options": { "light": "warm" } }],
      "status": "processed", "fulfillments": [],
      "payment_history": [{ "transaction_type": "payment", "amount": 80.05, "payment_method_id": "paypal_2" }]
    }
  }
}`
