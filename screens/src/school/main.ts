import "../look/look.css";
import "../form/form.css";
import "../report/print.css";
import { mount } from "svelte";
import { forStaff } from "../catalogue/for_staff";
import { offerKeypads } from "../keypad/keypad";
import { words } from "../words/words.svelte";
import SchoolPage from "./SchoolPage.svelte";

await words.open(forStaff, "window_school");
mount(SchoolPage, { target: document.body });
offerKeypads();
